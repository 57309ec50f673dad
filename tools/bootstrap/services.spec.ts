import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive } from './lock.mjs';
import { startService, waitReady } from './services.mjs';
import { httpServer, startScript, tempDir, until } from './spec-support.js';

/** A service as a file: it answers SIGTERM as `onTerm` says, and notes in `<file>.up` that it can. */
function script(onTerm: string): string {
  const file = join(tempDir(), 'service.mjs');
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';
process.on('SIGTERM', () => { ${onTerm} });
setInterval(() => {}, 1_000);
writeFileSync(${JSON.stringify(`${file}.up`)}, '');`,
  );
  return file;
}

const never = new Promise<number>(() => {});
const { signal } = new AbortController();

async function started(onTerm: string, options: { drainMs?: number } = {}) {
  const file = script(onTerm);
  const service = startService('gateway', file, process.env, options);
  await until('the service is up', () => existsSync(`${file}.up`));
  return service;
}

describe('a service', () => {
  it('is drained, not killed', async () => {
    const service = await started('setTimeout(() => process.exit(0), 100)');
    expect(await service.drain()).toBe(true);
    expect(await service.exited).toBe(0);
  });

  it('is killed when it does not stop in time', async () => {
    const service = await started('', { drainMs: 200 });
    expect(await service.drain()).toBe(false);
    expect(await service.exited).toBe(137);
    expect(isAlive(service.pid ?? 0)).toBe(false);
  });

  it('stops when its starter is killed outright', async () => {
    const code = `
      import { startService } from './services.mjs';
      console.log(startService('gateway', process.argv[2], process.env).pid);`;
    const starter = startScript(code, process.env, [script('process.exit(0)')]);
    let pid = 0;
    starter.stdout?.once('data', (text: Buffer) => (pid = Number(text.toString())));
    await until('the service runs', () => pid > 0 && isAlive(pid));
    starter.kill('SIGKILL');
    await until('the service is gone', () => !isAlive(pid));
  });

  it('that is not built gives a sentence', () => {
    expect(() => startService('worker', join(tempDir(), 'main.js'), {})).toThrow(/The worker is not built/);
  });
});

describe('waiting for readiness', () => {
  it('ends when the gateway says ready, with nothing degraded', async () => {
    const answers = [
      [503, ''],
      [200, '{"status":"degraded","degraded":["redis"]}'],
      [200, '{"status":"ready","degraded":[]}'],
    ] as const;
    let asked = 0;
    const url = await httpServer((_request, response) => {
      const [status, body] = answers[asked++] ?? answers[2];
      response.writeHead(status).end(body);
    });
    expect(await waitReady(url, { exited: never, signal, timeoutMs: 10_000 })).toEqual([]);
    expect(asked).toBe(3);
  });

  it('gives back what stays degraded', async () => {
    const url = await httpServer((_request, response) =>
      response.writeHead(200).end('{"status":"degraded","degraded":["embedder"]}'),
    );
    expect(await waitReady(url, { exited: never, signal, timeoutMs: 10_000, settleMs: 100 })).toEqual(['embedder']);
  });

  it('gives the last answer when it never does', async () => {
    const url = await httpServer((_request, response) => response.writeHead(503).end('no index'));
    await expect(waitReady(url, { exited: never, signal, timeoutMs: 300 })).rejects.toThrow(
      /not ready after 0\.3 s: 503 no index/,
    );
  });

  it('ends when the gateway does', async () => {
    const options = { exited: Promise.resolve(3), signal, timeoutMs: 10_000 };
    await expect(waitReady('http://127.0.0.1:1/', options)).rejects.toThrow(/stopped by itself \(exit code 3\)/);
  });
});
