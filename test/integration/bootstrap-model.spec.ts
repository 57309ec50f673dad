import { cpSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createContext, type Context } from '../../tools/bootstrap/context.mjs';
import { sha256OfFile } from '../../tools/bootstrap/files.mjs';
import { findModel } from '../../tools/bootstrap/model.mjs';
import { freePort } from '../../tools/bootstrap/ports.mjs';
import {
  httpServer,
  linkDownloads,
  outputOf,
  startScript,
  tempDir,
  testContext,
} from '../../tools/bootstrap/spec-support.js';

const { pins } = createContext();
const id = pins.model.id;
const q8 = 'onnx/model_quantized.onnx';
const files = ['config.json', 'tokenizer.json', 'tokenizer_config.json', q8];
/** An address that nobody answers at. */
const nobody = `http://127.0.0.1:${await freePort()}`;

/** An environment with pip, but a hub that nobody answers for. */
const offlineHub = { PATH: process.env['PATH'], HOME: process.env['HOME'], HF_ENDPOINT: nobody };

/** The model of this clone's cache, made first if it is not there yet. */
async function realModel(): Promise<string> {
  const { dir, reasons } = await findModel(createContext());
  if (dir === undefined) throw new Error(reasons.join(' '));
  return join(dir, id);
}

/** Gives a folder the model's files, as hard links. */
async function linkModel(to: string, names = files): Promise<void> {
  const from = await realModel();
  for (const name of names) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    linkSync(join(from, name), join(to, name));
  }
}

/** A hub on loopback with our converted files as its content, and pins that say so. */
async function loopbackHub(serve = true): Promise<{ url: string; asked: string[]; pins: Context['pins'] }> {
  const from = await realModel();
  const asked: string[] = [];
  const url = await httpServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const name = path.split(`/${pins.model.hub.revision}/`)[1] ?? '';
    if (!serve || !existsSync(join(from, name))) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-length': statSync(join(from, name)).size }).end(readFileSync(join(from, name)));
  });
  const hub = {
    ...pins.model.hub,
    files: pins.model.wheel.converted as unknown as Context['pins']['model']['hub']['files'],
  };
  const wheel = { ...pins.model.wheel, package: 'no-such-package' };
  return { url, asked, pins: { ...pins, model: { ...pins.model, hub, wheel } } };
}

describe('the embedding model is found', () => {
  it('in REPRISE_MODEL_DIR, taken as it is', async () => {
    const dir = tempDir();
    for (const name of files) {
      mkdirSync(dirname(join(dir, id, name)), { recursive: true });
      writeFileSync(join(dir, id, name), 'their own');
    }
    const context = testContext({ env: { REPRISE_MODEL_DIR: dir } });
    expect(await findModel(context)).toEqual({ dir, way: 'env', reasons: [] });
  });

  it('elsewhere when REPRISE_MODEL_DIR lacks a file, and says so', async () => {
    const dir = tempDir();
    const context = testContext({ env: { REPRISE_MODEL_DIR: dir } });
    await linkModel(join(context.cacheDir, 'model', id));
    const found = await findModel(context);
    expect(found).toMatchObject({ dir: join(context.cacheDir, 'model'), way: 'cache' });
    expect(found.reasons).toEqual([
      expect.stringMatching(/^REPRISE_MODEL_DIR is set, but .* lacks config\.json.*model_quantized\.onnx\.$/),
    ]);
  });

  it('on the public hub (a loopback server here), hash-checked, once for two processes', async () => {
    const hub = await loopbackHub();
    const cacheDir = tempDir();
    const pinsFile = join(tempDir(), 'pins.json');
    writeFileSync(pinsFile, JSON.stringify(hub.pins));
    const code = `
      import { readFileSync } from 'node:fs';
      import { createContext } from './context.mjs';
      import { findModel } from './model.mjs';
      const pins = JSON.parse(readFileSync(process.argv[2], 'utf8'));
      console.log((await findModel(createContext({ pins }))).way);`;
    const env = { PATH: '', HF_ENDPOINT: hub.url, REPRISE_CACHE_DIR: cacheDir };
    const results = await Promise.all([1, 2].map(() => outputOf(startScript(code, env, [pinsFile]))));
    expect(results.map((r) => r.out.trim().split('\n').at(-1)).sort()).toEqual(['cache', 'hub']);
    expect(hub.asked.sort()).toEqual(files.map((name) => `/${id}/resolve/${pins.model.hub.revision}/${name}`).sort());
    expect(await sha256OfFile(join(cacheDir, 'model', id, q8))).toBe(pins.model.wheel.converted[q8].sha256);
  });

  it('not on a hub that serves other bytes than the pinned ones', async () => {
    const hub = await loopbackHub();
    const other = { ...pins.model.hub.files };
    const context = testContext({
      env: { PATH: '', HF_ENDPOINT: hub.url },
      pins: { ...pins, model: { ...hub.pins.model, hub: { ...pins.model.hub, files: other } } },
    });
    const found = await findModel(context);
    expect(found.dir).toBeUndefined();
    expect(found.reasons[0]).toMatch(/config\.json is not the pinned file.*nothing of it is used/);
    expect(existsSync(join(context.cacheDir, 'model'))).toBe(false);
  });

  it('in the wheel: converted to the pinned bytes, then in the cache', async () => {
    const context = testContext({ env: offlineHub });
    await realModel();
    linkDownloads(context.cacheDir);
    const found = await findModel(context, { dtypes: ['q8', 'fp32'] });
    expect(found).toMatchObject({ dir: join(context.cacheDir, 'model'), way: 'wheel' });
    expect(found.reasons[0]).toMatch(/could not be fetched from 127\.0\.0\.1:\d+: ECONNREFUSED/);
    for (const [name, pin] of Object.entries(pins.model.wheel.converted)) {
      expect(await sha256OfFile(join(context.cacheDir, 'model', id, name))).toBe(pin.sha256);
    }
    const none = testContext({ cacheDir: context.cacheDir, env: { PATH: '', HF_ENDPOINT: nobody } });
    expect(await findModel(none, { dtypes: ['q8', 'fp32'] })).toMatchObject({ way: 'cache', reasons: [] });
  });

  it('anew when a cached file was damaged or is missing', async () => {
    const context = testContext({ env: offlineHub });
    await realModel();
    linkDownloads(context.cacheDir);
    const dir = join(context.cacheDir, 'model', id);
    cpSync(await realModel(), dir, { recursive: true });
    writeFileSync(join(dir, 'tokenizer.json'), '{}');
    expect((await findModel(context)).way).toBe('wheel');
    rmSync(join(dir, q8));
    expect((await findModel(context)).way).toBe('wheel');
    expect((await findModel(context)).way).toBe('cache');
  });

  it('nowhere: the reasons are given and nothing is thrown, since the exact tier runs without', async () => {
    const context = testContext({ env: { PATH: tempDir(), HF_ENDPOINT: nobody, REPRISE_MODEL_DIR: '/nowhere' } });
    const found = await findModel(context);
    expect(found.dir).toBeUndefined();
    expect(found.reasons).toHaveLength(3);
    expect(found.reasons.join(' ')).toMatch(
      /REPRISE_MODEL_DIR is set.*could not be fetched.*neither python3 -m pip nor pip/,
    );
  });
});
