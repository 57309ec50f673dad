import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createContext, type Context } from './context.mjs';

/** A folder that goes when the test ends. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'reprise-spec-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A board that keeps what was said. */
export function listeningBoard(): Context['board'] & { readonly said: string[] } {
  const said: string[] = [];
  return { said, say: (text) => void said.push(text), task: () => ({ update: () => {}, end: () => {} }) };
}

/** A context with a cache of its own and only the given environment (and the PATH). */
export function testContext(
  given: Partial<Context> = {},
): Context & { readonly board: ReturnType<typeof listeningBoard> } {
  const board = listeningBoard();
  return { ...createContext({ env: { PATH: process.env['PATH'] }, cacheDir: tempDir(), ...given, board }), board };
}

/** Where this clone keeps its downloads; a test that needs a real one links it from here instead of fetching it anew. */
export const realCache = createContext().cacheDir;

/** Gives a test's cache the whole downloads of this clone's cache. */
export function linkDownloads(cacheDir: string): void {
  const from = join(realCache, 'downloads');
  mkdirSync(join(cacheDir, 'downloads'), { recursive: true });
  if (!existsSync(from)) return;
  for (const name of readdirSync(from))
    if (name.endsWith('.whl')) linkOrKeep(join(from, name), join(cacheDir, 'downloads', name));
}

function linkOrKeep(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  linkSync(from, to);
}

/** An executable sh script in a folder that is meant for the PATH. */
export function fakeProgram(dir: string, name: string, body: string): string {
  const file = join(dir, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A loopback HTTP server that goes when the test ends. */
export async function httpServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server: Server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs an ES module given as text in another process, from a file in this folder's reach; `modules` is its base URL. */
export function startScript(code: string, env: NodeJS.ProcessEnv = process.env, args: string[] = []): ChildProcess {
  const file = join(tempDir(), 'script.mjs');
  const base = new URL('.', import.meta.url).href;
  writeFileSync(file, code.replaceAll("from './", `from '${base}`));
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** All that a process prints, until it ends. */
export async function outputOf(
  child: ChildProcess,
): Promise<{ code: number | null; signal: string | null; out: string }> {
  let out = '';
  child.stdout?.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => (out += piece.toString()));
  return new Promise((done) => child.on('close', (code, signal) => done({ code, signal, out })));
}

/** Waits until something is so; fails with `what` when it never comes. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const endMs = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`never came: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
