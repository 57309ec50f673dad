import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SimulatorError } from '../simulator-error.js';

/** An OpenAI-compatible model; plain data. The key stays in the environment. */
export interface ChatModel {
  /** Up to and with /v1. */
  readonly baseUrl: string;
  readonly model: string;
  /** Folder of the answers that were already paid for. */
  readonly keptDir: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The model that the environment names. Throws a SimulatorError when it names none. */
export function chatModelOf(env: Env, cacheDir: string): ChatModel {
  const { REPRISE_LLM_BASE_URL: baseUrl, REPRISE_LLM_MODEL: model = 'gpt-4o-mini' } = env;
  if (baseUrl === undefined || baseUrl === '')
    throw new SimulatorError(
      '--llm needs REPRISE_LLM_BASE_URL (…/v1), REPRISE_LLM_API_KEY, and REPRISE_LLM_MODEL if it is not gpt-4o-mini.',
    );
  const name = createHash('sha256').update(`${baseUrl} ${model}`).digest('hex').slice(0, 16);
  return { baseUrl: baseUrl.replace(/\/$/, ''), model, keptDir: join(cacheDir, 'answers', name) };
}

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
});
const attempts = 4;
const firstWaitMs = 500;
const timeoutMs = 60_000;
const temperature = 0.1;

/** Asks a model, each question once on this machine: answers are kept, so that a stopped run does not pay again. */
export class Answers {
  private readonly known = new Map<string, string>();
  private readonly file: string;

  constructor(private readonly model: ChatModel) {
    mkdirSync(model.keptDir, { recursive: true });
    for (const name of readdirSync(model.keptDir)) this.read(join(model.keptDir, name));
    this.file = join(model.keptDir, `${randomBytes(6).toString('hex')}.jsonl`);
  }

  async ask(prompt: string): Promise<string> {
    const key = createHash('sha256').update(prompt).digest('base64url').slice(0, 24);
    const kept = this.known.get(key);
    if (kept !== undefined) return kept;
    const answer = await this.fetched(prompt);
    this.known.set(key, answer);
    appendFileSync(this.file, `${JSON.stringify([key, answer])}\n`);
    return answer;
  }

  /** A line that a stopped run cut off is left out. */
  private read(file: string): void {
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const [key, answer] = JSON.parse(line) as [string, string];
      this.known.set(key, answer);
    }
  }

  private async fetched(prompt: string): Promise<string> {
    let why = '';
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, firstWaitMs * 2 ** attempt));
      try {
        const response = await this.send(prompt);
        if (response.ok) return completion.parse(await response.json()).choices[0]?.message.content ?? '';
        why = `${response.status}`;
        if (response.status < 500 && response.status !== 429) break;
      } catch (error) {
        why = (error as Error).message;
      }
    }
    throw new SimulatorError(
      `the model at ${this.model.baseUrl} gave no answer (${why}); run the command again to go on.`,
    );
  }

  private send(prompt: string): Promise<Response> {
    const key = process.env['REPRISE_LLM_API_KEY'];
    return fetch(`${this.model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify({ model: this.model.model, temperature, messages: [{ role: 'user', content: prompt }] }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}
