import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from '@reprise/config';
import { causeOf } from '../gateway/chat-client.js';
import type { Io } from '../io.js';
import { repoRoot } from '../repo-root.js';
import { bytesText, fail, type Finding, fine, warn } from './finding.js';
import { probeRedis, type RedisFacts } from './redis-probe.js';
import { placeOf, redisUrlsOf } from './redis-url.js';
import { checkSentinels } from './sentinel.check.js';

const OLDEST_MAJOR = 8;
const NO_REDIS =
  'Start one with npm start or bin/reprise redis, or set REDIS_URL to a Redis 8. Until then every request goes to the upstream.';
const DRIFT_WARN_MS = 250;
const DRIFT_FAIL_MS = 5_000;
const FULL_WARN = 0.8;
const FULL_FAIL = 0.95;

/** What the server is compared with. */
export interface Expected {
  readonly form: AppConfig['redis']['form'];
  /** Name of the function library of this version; undefined when it is not known here. */
  readonly library: string | undefined;
}

/** The library's name holds a hash of its content, so that the name alone says whether it is the right one. */
export function libraryName(source: string): string | undefined {
  return /^#!lua name=(\S+)/.exec(source)?.[1];
}

function expectedLibrary(): string | undefined {
  try {
    return libraryName(readFileSync(join(repoRoot, 'redis', 'functions', 'reprise.lua'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Every configured server: reachable or not, and what it says of itself. */
export async function checkRedis(config: AppConfig, io: Io, timeoutMs: number): Promise<Finding[]> {
  const behind = config.redis.sentinels === undefined ? undefined : await checkSentinels(config.redis, timeoutMs);
  if (behind !== undefined && behind.url === undefined)
    return [behind.finding, fail('redis', 'no sentinel says where the primary is', NO_REDIS)];
  const urls = behind?.url === undefined ? redisUrlsOf(config, io) : [behind.url];
  const expected = { form: config.redis.form, library: expectedLibrary() };
  const found = await Promise.all(
    urls.map(async (url): Promise<Finding[]> => {
      const place = placeOf(url);
      try {
        const facts = await probeRedis(url, timeoutMs);
        return judgeRedis(facts, place, expected);
      } catch (error) {
        return [fail('redis', `${place} cannot be used: ${causeOf(error)}`, NO_REDIS)];
      }
    }),
  );
  return behind === undefined ? found.flat() : [behind.finding, ...found.flat()];
}

/** What a server's facts mean for us. */
export function judgeRedis(facts: RedisFacts, place: string, expected: Expected): Finding[] {
  return [
    version(facts, place),
    vectorSets(facts),
    modules(facts),
    functions(facts, expected),
    policy(facts),
    memory(facts),
    drift(facts),
  ];
}

function version({ version: text, role, clustered }: RedisFacts, place: string): Finding {
  const major = Number(text.split('.')[0]);
  const says = `Redis ${text} at ${place}, ${role}`;
  if (major < OLDEST_MAJOR)
    return fail(
      'redis',
      says,
      `Vector sets need Redis ${OLDEST_MAJOR} or newer: upgrade it, or unset REDIS_URL so that npm start finds one.`,
    );
  if (role !== 'master' && !clustered)
    return fail('redis', says, 'Entries cannot be written to a replica: name the primary in REDIS_URL.');
  return fine('redis', says);
}

function vectorSets({ vectorSets: there }: RedisFacts): Finding {
  if (there) return fine('vector sets', 'VADD and VSIM are there (never call VREM by hand: it can crash the server)');
  return fail(
    'vector sets',
    'VADD or VSIM is missing',
    'Use a Redis 8 with vector sets (redis:8); without them nothing is found by meaning.',
  );
}

function modules({ modules: names }: RedisFacts): Finding {
  const has = (...wanted: string[]): boolean => names.some((name) => wanted.includes(name.toLowerCase()));
  const search = has('search', 'ft', 'searchlight');
  const json = has('rejson', 'json');
  const says = `search ${search ? 'yes' : 'no'}, JSON ${json ? 'yes' : 'no'}`;
  return fine(
    'redis modules',
    search && json ? says : `${says} (optional: without them the catalog is listed, not searched)`,
  );
}

function functions({ libraries }: RedisFacts, { form, library }: Expected): Finding {
  const ours = libraries.filter((name) => name.startsWith('reprise'));
  const says = ours.length === 0 ? 'none of ours is loaded' : ours.join(', ');
  if (form === 'evalsha')
    return fine('functions', 'redis.form is evalsha: scripts are loaded when they are first called');
  if (library !== undefined && !ours.includes(library))
    return warn(
      'functions',
      `${says}; ${library} is missing`,
      'A gateway loads it when it starts: start one, or look in its log why it could not.',
    );
  return fine('functions', says);
}

function policy({ memoryPolicy }: RedisFacts): Finding {
  if (memoryPolicy === 'noeviction') return fine('memory policy', memoryPolicy);
  return fail(
    'memory policy',
    memoryPolicy,
    'Redis may drop half of an entry or a job: CONFIG SET maxmemory-policy noeviction.',
  );
}

function memory({ usedBytes, maxBytes, machineBytes }: RedisFacts): Finding {
  const limit = maxBytes > 0 ? maxBytes : machineBytes;
  const share = limit > 0 ? usedBytes / limit : 0;
  const says = `${bytesText(usedBytes)} used of ${bytesText(limit)}${maxBytes > 0 ? '' : ' (no maxmemory: the whole machine)'}`;
  const advice = 'Raise maxmemory, lower cache.capacity, or purge namespaces.';
  if (share >= FULL_FAIL) return fail('redis memory', says, advice);
  return share >= FULL_WARN ? warn('redis memory', says, advice) : fine('redis memory', says);
}

function drift({ driftMs }: RedisFacts): Finding {
  const says = `Redis is ${Math.abs(driftMs).toFixed(0)} ms ${driftMs < 0 ? 'behind' : 'ahead of'} this machine`;
  const advice = 'Synchronise both clocks (NTP): ages, leases and times to live are counted from them.';
  if (Math.abs(driftMs) > DRIFT_FAIL_MS) return fail('time', says, advice);
  return Math.abs(driftMs) > DRIFT_WARN_MS ? warn('time', says, advice) : fine('time', says);
}
