import type { Redis } from 'ioredis';
import { engineLibrary, opsLibrary, scriptsVersion } from '../generated/libraries.gen.js';

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Loads a library that is not there yet; another replica may be faster. */
async function loadNew(server: Redis, source: string): Promise<void> {
  try {
    await server.call('FUNCTION', 'LOAD', source);
  } catch (error) {
    if (!message(error).includes('already exists')) throw error;
  }
}

const newer = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) > 0;

/** The operators' functions keep their names: one copy a server, replaced unless it belongs to a newer application. */
async function loadOps(server: Redis): Promise<void> {
  if (opsLibrary.name === '') return;
  const found = (await server.call('FUNCTION', 'LIST', 'LIBRARYNAME', opsLibrary.name, 'WITHCODE')) as unknown[][];
  const code = found[0]?.map(String).find((part) => part.startsWith('#!lua'));
  if (code === opsLibrary.source) return;
  // What another replica has just loaded is looked at at the next start.
  if (code === undefined) {
    await loadNew(server, opsLibrary.source);
    return;
  }
  const version = /^-- version (\S+)$/m.exec(code)?.[1];
  if (version && newer(version, scriptsVersion)) return;
  await server.call('FUNCTION', 'LOAD', 'REPLACE', opsLibrary.source);
}

/** Loads both libraries where they are missing; safe when several replicas do it at once. */
export async function loadLibraries(servers: readonly Redis[]): Promise<void> {
  await Promise.all(
    servers.map(async (server) => {
      // Its name holds the hash of its content: one that exists is the same one.
      await loadNew(server, engineLibrary.source);
      await loadOps(server);
    }),
  );
}
