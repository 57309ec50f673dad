// Memory of an entry by the key that it is in, measured by MEMORY USAGE over the whole namespace.
import { answerBytes, fingerprintBytes } from './entries.mjs';

const perSet = ['post', 'gate', 'door', 'strata', 'st', 't:m', 't:p', 't:r'];

const usage = (client, key) => client.call('MEMORY', 'USAGE', key, 'SAMPLES', 0).then((bytes) => Number(bytes ?? 0));

/** Bytes an entry by key; `beyondAnswer` = all of it without the answer's own bytes and without the vector set. */
export async function memoryPerEntry(client, ns, size) {
  const base = `rp:{${ns}}`;
  const bytes = {};
  for (const name of perSet) bytes[name] = (await usage(client, `${base}:${name}`)) / size;
  const ids = (await client.hrandfield(`${base}:post`, Math.min(size, 200))) ?? [];
  let answer = 0;
  let pointer = 0;
  for (const id of ids) {
    answer += await usage(client, `${base}:e:${id}`);
    pointer += await usage(client, `${base}:x:${id.slice(1).padStart(32, '0')}`);
  }
  bytes['e:<id>'] = answer / ids.length - answerBytes;
  bytes['x:<hash>'] = pointer / ids.length;
  const total = Object.values(bytes).reduce((sum, value) => sum + value, 0);
  const rounded = Object.fromEntries(Object.entries(bytes).map(([name, value]) => [name, Math.round(value * 10) / 10]));
  const vectorSet = Math.round((await usage(client, `${base}:v:${'s'.repeat(32)}`)) / size);
  return {
    bytesPerEntry: rounded,
    beyondAnswer: Math.round(total),
    ofThatFingerprint: fingerprintBytes,
    vectorSet,
  };
}
