import { createServer, type Server } from 'node:http';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Answers, chatModelOf } from './chat-model.js';

let dir: string;
let server: Server;
let seen: { path: string | undefined; body: { model: string; messages: { content: string }[] } }[];
let failures: number[];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-llm-'));
  [seen, failures] = [[], []];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as (typeof seen)[number]['body'];
      seen.push({ path: request.url, body });
      const status = failures.shift() ?? 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      const content = `echo ${body.messages[0]?.content}`;
      response.end(JSON.stringify(status === 200 ? { choices: [{ message: { content } }] } : {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

const model = () =>
  chatModelOf(
    { REPRISE_LLM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, REPRISE_LLM_MODEL: 'm' },
    dir,
  );

describe('a language model for the tables', () => {
  it('is asked once for each question, over runs too, also after a kill in the middle of a note', async () => {
    const answers = new Answers(model());
    expect(await answers.ask('one')).toBe('echo one');
    expect(await answers.ask('one')).toBe('echo one');
    const { keptDir } = model();
    appendFileSync(join(keptDir, readdirSync(keptDir)[0] ?? ''), '["half');
    expect(await new Answers(model()).ask('one')).toBe('echo one');
    expect(seen.map(({ path, body }) => [path, body.model])).toEqual([['/v1/chat/completions', 'm']]);
  });

  it('is asked again when it is busy, and its refusal is said', async () => {
    failures = [503, 200];
    expect(await new Answers(model()).ask('two')).toBe('echo two');
    failures = [401];
    await expect(new Answers(model()).ask('three')).rejects.toThrow(/gave no answer \(401\)/);
  });

  it('must be named', () => {
    expect(() => chatModelOf({}, dir)).toThrow(/REPRISE_LLM_BASE_URL/);
  });
});
