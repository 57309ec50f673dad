// `npm run bench [-- --smoke] [--only http,micro,redis,locomo,risk]`: the HTTP benchmark, or those that are named.
import { existsSync } from 'node:fs';

const smoke = process.argv.includes('--smoke');
const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',');
const chosen = process.argv.includes('--only') ? only : ['http'];

for (const name of chosen) {
  const script = new URL(`./${name}/run.mjs`, import.meta.url);
  if (!existsSync(script)) throw new Error(`there is no benchmark ${name}`);
  console.log(`\n== ${name}${smoke ? ' (smoke: shape, not speed)' : ''}`);
  const { run } = await import(script);
  await run({ smoke });
}
