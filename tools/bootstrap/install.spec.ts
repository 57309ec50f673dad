import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repoRoot } from './context.mjs';
import { ensureBuild, ensureDependencies, npmEnv, satisfies, sourceStamp } from './install.mjs';
import { outputOf, startScript, tempDir, testContext } from './spec-support.js';

const lock = { packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } };

/** A clone with a lock file and an npm that notes its calls and installs what the lock says. */
function fakeClone({ fails = false } = {}) {
  const root = tempDir();
  const calls = join(root, 'calls');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
  const npm = join(root, 'npm-cli.js');
  writeFileSync(
    npm,
    `const fs = require('fs');
fs.appendFileSync(${JSON.stringify(calls)}, [process.argv.slice(2).join(' '), process.env.ONNXRUNTIME_NODE_INSTALL].join(' ') + '\\n');
if (${fails}) { console.error('npm error code E404\\nnpm error 404 a@1.0.0 is not in this registry.'); process.exit(1); }
setTimeout(() => {
  fs.mkdirSync('node_modules/a', { recursive: true });
  fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
}, 300);`,
  );
  const env = { PATH: process.env['PATH'], HOME: root, npm_execpath: npm };
  return { root, env, calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []) };
}

describe('dependencies', () => {
  it('are installed once, and again when the lock file changed', async () => {
    const { root, env, calls } = fakeClone();
    const context = testContext({ env });
    expect(await ensureDependencies(context, { root })).toBe(true);
    expect(await ensureDependencies(context, { root })).toBe(false);
    expect(calls()).toEqual(['ci --no-audit --no-fund --loglevel=error skip']);
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/a': { version: '2.0.0' } } }),
    );
    expect(await ensureDependencies(context, { root })).toBe(true);
    expect(calls()).toHaveLength(2);
  });

  it('are installed by one of two processes at once', async () => {
    const { root, env, calls } = fakeClone();
    const code = `
      import { createContext } from './context.mjs';
      import { ensureDependencies } from './install.mjs';
      await ensureDependencies(createContext(), { root: process.argv[2] });`;
    const run = () => outputOf(startScript(code, { ...env, REPRISE_CACHE_DIR: join(root, '.cache') }, [root]));
    const results = await Promise.all([run(), run()]);
    expect(results.map((r) => r.code)).toEqual([0, 0]);
    expect(calls()).toHaveLength(1);
  });

  it('that a developer installed are kept', async () => {
    const { root, env, calls } = fakeClone();
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify(lock));
    expect(await ensureDependencies(testContext({ env }), { root })).toBe(false);
    expect(calls()).toEqual([]);
  });

  it('that cannot be had give a sentence, and are tried again at the next start', async () => {
    const { root, env, calls } = fakeClone({ fails: true });
    const failing = () => ensureDependencies(testContext({ env }), { root });
    await expect(failing()).rejects.toThrow(
      /could not be installed .*404 a@1\.0\.0 is not in this registry.*Look whether npm/,
    );
    await expect(failing()).rejects.toThrow();
    expect(calls()).toHaveLength(2);
  });

  it('may lack an optional package of another platform, and nothing else', () => {
    const wanted = { ...lock.packages, 'node_modules/b': { version: '1.0.0', optional: true } };
    expect(satisfies(wanted, lock.packages)).toBe(true);
    expect(satisfies({ ...wanted, 'node_modules/c': { version: '1.0.0' } }, lock.packages)).toBe(false);
    expect(satisfies({ 'node_modules/a': { version: '1.0.1' } }, lock.packages)).toBe(false);
  });

  it('use the cache folder where there is no home', () => {
    const context = testContext({ env: { HOME: '' } });
    expect(npmEnv(context)['npm_config_cache']).toBe(join(context.cacheDir, 'npm'));
    expect(npmEnv(testContext({ env: { HOME: tempDir() } }))['npm_config_cache']).toBeUndefined();
  });
});

/** A clone with one lib and one app that imports it. */
function smallProject() {
  const root = tempDir();
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const options = { composite: true, outDir: 'dist', rootDir: 'src', module: 'nodenext', types: [], lib: ['es5'] };
  write('libs/x/tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
  write('libs/x/src/index.ts', 'export const one: number = 1;\n');
  write(
    'apps/y/tsconfig.json',
    JSON.stringify({ compilerOptions: options, include: ['src'], references: [{ path: '../../libs/x' }] }),
  );
  write('apps/y/src/main.ts', "import { one } from '../../../libs/x/dist/index.js';\nexport const two = one + 1;\n");
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(repoRoot, 'node_modules', 'typescript'), join(root, 'node_modules', 'typescript'));
  return { root, write };
}

describe('the build', () => {
  it('makes what the apps need, once, and again after a change', async () => {
    const { root, write } = smallProject();
    const context = testContext();
    expect(await ensureBuild(context, { root })).toBe(true);
    expect(existsSync(join(root, 'apps/y/dist/main.js'))).toBe(true);
    expect(existsSync(join(root, 'libs/x/dist/index.js'))).toBe(true);
    expect(await ensureBuild(context, { root })).toBe(false);
    write('libs/x/src/index.ts', 'export const one: number = 11;\n');
    expect(await ensureBuild(context, { root })).toBe(true);
    expect(readFileSync(join(root, 'libs/x/dist/index.js'), 'utf8')).toContain('11');
    rmSync(join(root, 'apps/y/dist'), { recursive: true });
    expect(await ensureBuild(context, { root })).toBe(true);
  });

  it('that fails gives the first errors, and is tried again', async () => {
    const { root, write } = smallProject();
    write('libs/x/src/index.ts', "export const one: number = 'one';\n");
    await expect(ensureBuild(testContext(), { root })).rejects.toThrow(
      /The build failed with 1 error.*TS2322.*npx tsc -b/,
    );
    await expect(ensureBuild(testContext(), { root })).rejects.toThrow('TS2322');
  });

  it('is not done again for a changed test', () => {
    const { root, write } = smallProject();
    const before = sourceStamp(root);
    write('libs/x/src/index.spec.ts', '');
    expect(sourceStamp(root)).toBe(before);
    write('libs/x/src/more.ts', '');
    expect(sourceStamp(root)).not.toBe(before);
  });
});
