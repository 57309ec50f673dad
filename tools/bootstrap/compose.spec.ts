import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadConfig } from '@reprise/config';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createContext, repoRoot } from './context.mjs';
import { gatewayNodeArgs } from './gateway-node.mjs';

const read = (name: string) => readFileSync(join(repoRoot, name), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly restart: string;
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}
const file = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const { redis, model, worker, ...gateways } = file.services as Record<string, Service> &
  Record<'redis' | 'model' | 'worker', Service>;
const ours = { model, worker, ...gateways };
/** `${NAME:-default}` as compose fills it in where NAME is not set. */
const filled = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const envOf = ({ environment = {} }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]));
const configOf = (service: Service) => {
  const loaded = loadConfig({ env: envOf(service), cwd: '/nowhere' });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
};

/**
 * There is no container engine where the tests run. What a container would be given is looked at here: the file as
 * compose reads it, against the configuration's schema, the Dockerfile and the files of the repository.
 */
describe('docker-compose.yml', () => {
  it('has Redis, the model, two gateways and a worker, and declares its volumes', () => {
    expect(Object.keys(file.services).sort()).toEqual(['gateway-a', 'gateway-b', 'model', 'redis', 'worker']);
    expect(Object.keys(file.volumes)).toEqual(['redis', 'model', 'state']);
    for (const { volumes } of Object.values(file.services))
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect(existsSync(join(repoRoot, source)), source).toBe(true);
        else expect(Object.keys(file.volumes)).toContain(source);
      }
  });

  it('runs the pinned Redis with our settings', () => {
    expect(redis.image).toBe(createContext().pins.redis.docker.image);
    expect(redis.volumes).toEqual(['./redis/conf/reprise.conf:/usr/local/etc/redis/reprise.conf:ro', 'redis:/data']);
    expect(redis.command.slice(0, 2)).toEqual(['redis-server', '/usr/local/etc/redis/reprise.conf']);
    // Others reach it only inside the private network.
    expect(redis.ports).toBeUndefined();
  });

  it.each(Object.entries(ours))(
    '%s: an environment that the configuration takes, built from the Dockerfile',
    (_, one) => {
      const config = configOf(one);
      expect([one.build, one.image]).toEqual(['.', 'reprise:local']);
      expect(config.redis.url).toBe('redis://redis:6379');
      expect(config.server.host).toBe('0.0.0.0');
      // Compose must not kill what is still finishing its requests.
      expect(Number(/^(\d+)s$/.exec(one.stop_grace_period ?? '')?.[1]) * 1_000).toBeGreaterThan(
        config.server.shutdownGraceMs,
      );
      expect(config.embedding.modelDir ?? '.cache/model').toBe('.cache/model');
      expect(one.volumes).toContain(one === model ? 'model:/app/.cache/model' : 'model:/app/.cache/model:ro');
      expect(join('/app', config.auth.adminTokenFile).startsWith('/app/.reprise/')).toBe(true);
      if (one !== model) expect(one.volumes).toContain('state:/app/.reprise');
    },
  );

  it('starts what the image holds, the gateways as npm start does', () => {
    const source = (program: string) => join(repoRoot, program.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
    for (const { command } of Object.values(ours)) {
      expect(command[0]).toBe('node');
      expect(existsSync(source(command.at(-1) ?? '')), command.at(-1)).toBe(true);
    }
    for (const gateway of Object.values(gateways))
      expect(gateway.command.slice(1)).toEqual([...gatewayNodeArgs, 'apps/gateway/dist/main.js']);
  });

  it('publishes two ports of this machine only, each to the port that its gateway listens on', () => {
    const published = Object.values(gateways).map((gateway) => {
      const [mapping = '', ...more] = gateway.ports ?? [];
      expect(more).toEqual([]);
      const [host, outer, inner] = mapping.split(':');
      expect([host, Number(inner)]).toEqual(['127.0.0.1', configOf(gateway).server.port]);
      return outer;
    });
    expect(published).toEqual(['8080', '8081']);
    expect(worker.ports).toBeUndefined();
  });

  it('waits for Redis to be healthy and for the model to be there', () => {
    for (const service of [worker, ...Object.values(gateways)])
      expect(service.depends_on).toEqual({
        redis: { condition: 'service_healthy' },
        model: { condition: 'service_completed_successfully' },
      });
    expect([redis.restart, model.restart, worker.restart]).toEqual(['unless-stopped', 'no', 'unless-stopped']);
    expect(redis.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping']);
  });

  const asked: [string, Service, number][] = [
    ...Object.entries(gateways).map(([name, one]): [string, Service, number] => [name, one, configOf(one).server.port]),
    ['worker', worker, configOf(worker).queues.healthPort],
  ];
  it.each(asked)(
    '%s: its health check asks its own port, and its exit code says what it heard',
    async (_, one, port) => {
      const [kind, program, flag, code = ''] = one.healthcheck?.test ?? [];
      expect([kind, program, flag]).toEqual(['CMD', 'node', '-e']);
      expect(code).toContain(`http://127.0.0.1:${port}/readyz`);
      const exit = async (at: number): Promise<unknown> => {
        const child = spawn(process.execPath, ['-e', code.replace(`:${port}/`, `:${at}/`)], { stdio: 'ignore' });
        return ((await once(child, 'exit')) as unknown[])[0];
      };
      let status = 200;
      const server = createServer((request, response) =>
        response.writeHead(request.url === '/readyz' ? status : 404).end('{}'),
      ).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port: there } = server.address() as AddressInfo;
      expect(await exit(there)).toBe(0);
      status = 503;
      expect(await exit(there)).toBe(1);
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      expect(await exit(there)).toBe(1);
    },
  );
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');
  const stages = lines.reduce<string[][]>((all, line) => {
    if (line.startsWith('FROM ')) all.push([]);
    all.at(-1)?.push(line);
    return all;
  }, []);
  const ignored = read('.dockerignore').split('\n');

  it('copies what is there and not ignored, and from its first stage what that has', () => {
    const [build = [], final = []] = stages;
    const sources = (stage: string[], from: boolean) =>
      stage
        .filter((line) => line.startsWith('COPY ') && line.includes('--from=') === from)
        .flatMap((line) =>
          line
            .replace(/--from=\S+ /, '')
            .split(' ')
            .slice(1, -1),
        );
    const patterns = sources(build, false);
    for (const source of [...patterns, ...sources(final, false)]) {
      const [name = '', rest] = source.split('*');
      const found = readdirSync(repoRoot).filter((entry) =>
        rest === undefined ? entry === name : entry.startsWith(name) && entry.endsWith(rest),
      );
      expect(found, source).not.toEqual([]);
      for (const entry of found) expect(ignored).not.toContain(entry);
    }
    for (const source of sources(final, true)) {
      const name = source.replace('/app/', '');
      expect([...patterns, 'node_modules'], source).toContain(name);
    }
  });

  it('runs as another user than root, on a Node that the product takes, and starts a gateway like npm start', () => {
    const text = lines.join('\n');
    for (const [, major] of text.matchAll(/^FROM node:(\d+)/gm)) expect(Number(major)).toBeGreaterThanOrEqual(20);
    expect(text).toMatch(/^USER node$/m);
    const command = /^CMD (.*)$/m.exec(text)?.[1] ?? '[]';
    expect(JSON.parse(command)).toEqual(['node', ...gatewayNodeArgs, 'apps/gateway/dist/main.js']);
  });
});

describe('the files of the bootstrap', () => {
  it('name packages, never a registry’s host', () => {
    const files = [
      'docker-compose.yml',
      'Dockerfile',
      '.ci/run',
      ...readdirSync(join(repoRoot, 'tools', 'bootstrap')).map((n) => `tools/bootstrap/${n}`),
    ];
    const hosts = new RegExp(
      ['pypi', 'pythonhosted', 'npmjs', 'deb\\.debian', 'docker\\.io', 'ghcr']
        .map((h) => `${h}\\.?(org|com|io)?\\b`)
        .join('|'),
    );
    for (const file of files.filter((name) => !name.endsWith('compose.spec.ts')))
      expect(read(file), file).not.toMatch(hosts);
  });
});
