import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createContext } from './context.mjs';
import { isAlive } from './lock.mjs';
import { fetchWheel } from './pip.mjs';
import { which } from './run.mjs';
import { fakeProgram, outputOf, startScript, tempDir, testContext, until } from './spec-support.js';

const content = 'the bytes of a wheel';
const pin = {
  package: 'thing',
  version: '1.2.3',
  tag: 'manylinux_2_17_x86_64',
  file: 'thing-1.2.3-cp311-cp311-manylinux_2_17_x86_64.whl',
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
};

/** A PATH with a python3 whose pip does what `body` says; it notes each call, and its temporary folder. */
function fakePip(body: string) {
  const dir = tempDir();
  for (const name of ['sh', 'cat', 'mkdir', 'sleep']) symlinkSync(which(name, process.env) ?? '', join(dir, name));
  const log = join(dir, 'calls');
  fakeProgram(
    dir,
    'python3',
    `case "$*" in *--version*) exit 0;; esac
echo "$$ $TMPDIR $*" >>'${log}'
while [ $# -gt 0 ]; do [ "$1" = --dest ] && dest=$2; shift; done
mkdir -p "$dest"
${body}`,
  );
  const calls = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { env: { PATH: dir }, calls };
}

const put = (text: string) => `cat >"$dest/${pin.file}" <<'EOF'\n${text}\nEOF`;
/** cat's here-document ends with a newline; the pin counts it. */
const pinned = { ...pin, bytes: content.length + 1, sha256: createHash('sha256').update(`${content}\n`).digest('hex') };

describe('a wheel through pip', () => {
  it('is asked for by name, version and explicit tags, checked and kept', async () => {
    const { env, calls } = fakePip(put(content));
    const context = testContext({ env });
    const file = await fetchWheel(context, pinned);
    expect(readFileSync(file, 'utf8')).toBe(`${content}\n`);
    expect(file).toBe(join(context.cacheDir, 'downloads', pin.file));
    await fetchWheel(context, pinned);
    expect(calls()).toHaveLength(1);
    expect(calls()[0]).toMatch(
      /download --no-deps --only-binary=:all: .*--platform manylinux_2_17_x86_64 .*thing==1\.2\.3$/,
    );
    expect(calls()[0]).toContain(`${context.cacheDir}/tmp/pip-thing-`);
    expect(readdirSync(join(context.cacheDir, 'tmp'))).toEqual([]);
  });

  it('is refused and removed when it is not the pinned one', async () => {
    const { env } = fakePip(put('other bytes'));
    const context = testContext({ env });
    await expect(fetchWheel(context, pinned)).rejects.toThrow(/is not the pinned file.*nothing of it is used/);
    expect(readdirSync(context.cacheDir)).not.toContain('downloads');
    expect(readdirSync(join(context.cacheDir, 'tmp'))).toEqual([]);
  });

  it('is fetched anew when the kept one was damaged', async () => {
    const { env, calls } = fakePip(put(content));
    const context = testContext({ env });
    mkdirSync(join(context.cacheDir, 'downloads'), { recursive: true });
    writeFileSync(join(context.cacheDir, 'downloads', pin.file), 'damaged');
    expect(readFileSync(await fetchWheel(context, pinned), 'utf8')).toBe(`${content}\n`);
    expect(calls()).toHaveLength(1);
  });

  it('is fetched once when two processes ask at the same time', async () => {
    const go = join(tempDir(), 'go');
    const { env, calls } = fakePip(`while [ ! -f '${go}' ]; do sleep 0.05; done\n${put(content)}`);
    const cacheDir = tempDir();
    const code = `
      import { createContext } from './context.mjs';
      import { fetchWheel } from './pip.mjs';
      console.log(await fetchWheel(createContext(), JSON.parse(process.argv[2])));`;
    let said = '';
    const run = () => {
      const child = startScript(code, { ...env, REPRISE_CACHE_DIR: cacheDir }, [JSON.stringify(pinned)]);
      child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
      return outputOf(child);
    };
    const runs = Promise.all([run(), run()]);
    await until('the second one waits', () => said.includes('is fetching thing: waiting for it'));
    writeFileSync(go, '');
    expect((await runs).map((r) => r.code)).toEqual([0, 0]);
    expect(calls()).toHaveLength(1);
  });

  it('leaves neither a process nor a file when it is interrupted', async () => {
    const { env, calls } = fakePip(`echo half >"$dest/half"\nexec sleep 60`);
    const stop = new AbortController();
    const context = testContext({ env, signal: stop.signal });
    const fetching = fetchWheel(context, pinned);
    await until('pip runs', () => calls().length === 1);
    stop.abort(new Error('Ctrl-C'));
    await expect(fetching).rejects.toThrow('Ctrl-C');
    await until('pip is gone', () => !isAlive(Number(calls()[0]?.split(' ')[0])));
    expect(readdirSync(join(context.cacheDir, 'tmp'))).toEqual([]);
    expect(readdirSync(join(context.cacheDir, 'locks'))).toEqual([]);
  });

  it('says what pip said, and what to do', async () => {
    const { env } = fakePip('echo "ERROR: No matching distribution found for thing==1.2.3" >&2; exit 1');
    await expect(fetchWheel(testContext({ env }), pinned)).rejects.toThrow(
      /pip could not fetch thing 1\.2\.3 .*No matching distribution found.*Look whether pip reaches/,
    );
  });

  it('says that there is no pip, and what to do', async () => {
    await expect(fetchWheel(testContext({ env: { PATH: tempDir() } }), pinned)).rejects.toThrow(
      /neither python3 -m pip nor pip.*Install pip/,
    );
  });
});

describe('pins.json', () => {
  it('pins every wheel with version, size and sha256', () => {
    const { redis, model } = createContext().pins;
    const wheels = [...Object.values(redis.server.platforms), ...Object.values(redis.modules.platforms), model.wheel];
    expect(wheels.length).toBe(5);
    for (const wheel of wheels) {
      expect(wheel.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(wheel.bytes).toBeGreaterThan(1_000_000);
    }
    for (const origin of [model.hub.files, model.wheel.converted])
      for (const file of Object.values(origin)) expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
