// Memory of an entry by the key that it is in, measured by MEMORY USAGE over the whole namespace.
import { answerBytes, fingerprintBytes, stratum } from './entries.mjs';

const perSet = ['post', 'gate', 'door', 'strata', 'st', 't:m', 't:p', 't:r', 'x'];

const usage = (client, key) => client.call('MEMORY', 'USAGE', key, 'SAMPLES', 0).then((bytes) => Number(bytes ?? 0));

/** What the answer alone takes as a value of Redis: its bytes, rounded up to a class of the allocator. */
async function ofAnswerAlone(client, bytes) {
  await client.set('bench:answer', 'x'.repeat(bytes));
  const whole = await usage(client, 'bench:answer');
  await client.del('bench:answer');
  // The key and its header: what a value that needs no bytes of its own takes.
  await client.set('bench:answer', '1');
  return whole - (await usage(client, 'bench:answer'));
}

/**
 * Bytes an entry by key. `beyondAnswer` = all of it without the answers' own bytes and without the vector set; `beyondAllocated`
 * = without what the answers alone would take as values of Redis, which rounds sizes up.
 */
export async function memoryPerEntry(client, ns, size) {
  const base = `rp:{${ns}}`;
  const bytes = {};
  for (const name of perSet) bytes[name] = (await usage(client, `${base}:${name}`)) / size;
  const ids = (await client.hrandfield(`${base}:post`, Math.min(size, 2000))) ?? [];
  const sum = { entry: 0, answer: 0, alone: 0 };
  const alone = new Map();
  for (const id of ids) {
    const own = answerBytes(Number(id.slice(2)));
    sum.entry += await usage(client, `${base}:e:${id}`);
    sum.answer += own;
    if (!alone.has(own)) alone.set(own, await ofAnswerAlone(client, own));
    sum.alone += alone.get(own);
  }
  bytes['e:<id>'] = (sum.entry - sum.answer) / ids.length;
  const total = Object.values(bytes).reduce((all, value) => all + value, 0);
  return {
    namespaceBytes: ns.length,
    bytesPerEntry: Object.fromEntries(
      Object.entries(bytes).map(([name, value]) => [name, Math.round(value * 10) / 10]),
    ),
    beyondAnswer: Math.round(total),
    beyondAllocated: Math.round(total - (sum.alone - sum.answer) / ids.length),
    ofThatFingerprint: fingerprintBytes,
    vectorSet: Math.round((await usage(client, `${base}:v:${stratum}`)) / size),
  };
}
