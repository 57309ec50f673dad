import { isObject, type CapturedAnswer, type CapturedToolCall, type JsonObject } from './captured-answer.js';
import { mergeDelta } from './delta-merge.js';
import { applyEnvelope, fromJsonCompletion } from './json-completion.js';
import { SseParser, type SseEvent } from './sse-parser.js';

/** Puts the chunks of a streamed completion together to the answer that the JSON form would have given. */
export class ChatCompletionAssembler {
  private readonly envelope: CapturedAnswer = {
    message: { role: 'assistant', content: null },
    finishReason: null,
    choices: 0,
    complete: false,
    form: 'sse',
  };
  private readonly message: JsonObject = {};
  private readonly logprobs: JsonObject = {};
  private readonly calls = new Map<number, JsonObject>();
  private readonly indexes = new Set<number>();
  private lastCall = -1;
  private done = false;
  private broken = false;

  /** The terminal event was seen; what follows it is ignored. */
  get terminated(): boolean {
    return this.done;
  }

  push(event: SseEvent): void {
    if (this.done) return;
    const data = event.data.trim();
    if (data === '[DONE]') {
      this.done = true;
      return;
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      this.broken = true;
      return;
    }
    if (isObject(chunk)) this.pushChunk(chunk, event.event === 'error');
    else this.broken = true;
  }

  /** The answer so far; `complete` only after the terminal event, a finish reason and no unreadable event. */
  finish(): CapturedAnswer {
    const message = { ...this.message, role: 'assistant' } as CapturedAnswer['message'];
    if (typeof message.content !== 'string') message.content = null;
    if (this.calls.size > 0) message.tool_calls = this.toolCalls();
    const answer: CapturedAnswer = { ...this.envelope, message, choices: this.indexes.size };
    if (Object.keys(this.logprobs).length > 0) answer.logprobs = structuredClone(this.logprobs);
    answer.complete = this.done && !this.broken && answer.finishReason !== null && answer.error === undefined;
    return answer;
  }

  private pushChunk(chunk: JsonObject, isError: boolean): void {
    applyEnvelope(this.envelope, chunk);
    if (isError && this.envelope.error === undefined) this.envelope.error = chunk;
    if (!Array.isArray(chunk['choices'])) return;
    for (const choice of chunk['choices']) {
      if (!isObject(choice)) continue;
      const index = typeof choice['index'] === 'number' ? choice['index'] : 0;
      this.indexes.add(index);
      if (index === 0) this.pushChoice(choice);
    }
  }

  private pushChoice(choice: JsonObject): void {
    if (typeof choice['finish_reason'] === 'string') this.envelope.finishReason = choice['finish_reason'];
    if (isObject(choice['logprobs'])) mergeDelta(this.logprobs, choice['logprobs']);
    const delta = choice['delta'];
    if (!isObject(delta)) return;
    const { tool_calls: calls, ...rest } = delta;
    mergeDelta(this.message, rest);
    if (!Array.isArray(calls)) return;
    for (const call of calls) if (isObject(call)) this.pushCall(call);
  }

  /** Some providers leave the index out: then a new id opens a new call, and a fragment without id continues the last. */
  private pushCall(call: JsonObject): void {
    const { index, ...fragment } = call;
    let place = this.lastCall;
    if (typeof index === 'number') place = index;
    else if (place < 0 || (typeof call['id'] === 'string' && call['id'] !== this.calls.get(place)?.['id'])) place += 1;
    this.lastCall = place;
    const known = this.calls.get(place) ?? {};
    mergeDelta(known, fragment);
    this.calls.set(place, known);
  }

  private toolCalls(): CapturedToolCall[] {
    const ordered = [...this.calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
    const asMessage = { choices: [{ index: 0, message: { tool_calls: ordered } }] };
    return fromJsonCompletion(asMessage).message.tool_calls ?? [];
  }
}

/** Bytes of a streamed completion in, the whole answer out. */
export class SseCapture {
  private readonly assembler = new ChatCompletionAssembler();
  private readonly parser: SseParser;

  constructor(limitChars?: number) {
    this.parser = new SseParser(limitChars);
  }

  /** The terminal event was seen: from now on the answer may be stored even if the caller goes away. */
  get terminated(): boolean {
    return this.assembler.terminated;
  }

  push(bytes: Uint8Array): void {
    for (const event of this.parser.push(bytes)) this.assembler.push(event);
  }

  finish(): CapturedAnswer {
    for (const event of this.parser.end()) this.assembler.push(event);
    const answer = this.assembler.finish();
    if (this.parser.overflow) answer.complete = false;
    return answer;
  }
}
