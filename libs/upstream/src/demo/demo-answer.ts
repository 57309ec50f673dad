import type { CapturedAnswer, CapturedMessage, CapturedToolCall, Usage } from '../capture/captured-answer.js';
import type { DemoChatRequest, DemoTool } from './demo-request.js';
import { demoVerdict, isJudgePrompt } from './demo-judge.js';
import { countDemoTokens, demoTokens } from './demo-tokens.js';
import { answerFor } from './help-desk/ground-truth.js';
import { messageText, type DemoMessage } from './help-desk/messages.js';
import { hash32 } from './help-desk/seeded-random.js';
import { valueForSchema } from './schema-values.js';

/** What says that an answer came from the demo and from no model. */
export const DEMO_FINGERPRINT = 'reprise-demo';

const TOKENS_PER_MESSAGE = 4;

function lastUserText(messages: readonly DemoMessage[]): string {
  const last = messages.findLast((message) => message.role === 'user');
  return last === undefined ? '' : messageText(last);
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
}

/** The tool that the text asks for: forced by `tool_choice`, or the first whose name or description shares a word with it. */
function toolFor(request: DemoChatRequest, text: string): DemoTool | undefined {
  const { tools, toolChoice } = request;
  if (toolChoice === 'none') return undefined;
  const named = tools.find((tool) => tool.name === toolChoice);
  if (named !== undefined) return named;
  const said = wordsIn(text);
  const about = (tool: DemoTool): boolean =>
    [...wordsIn(`${tool.name.replace(/[_-]/g, ' ')} ${tool.description}`)].some((word) => said.has(word));
  return tools.find(about) ?? (toolChoice === 'required' ? tools[0] : undefined);
}

function callTool(tool: DemoTool, text: string): CapturedToolCall {
  const args = valueForSchema({ type: 'object', ...tool.parameters }, tool.name, text);
  const id = `call_demo${hash32(`${tool.name}:${text}`).toString(36)}`;
  return { id, type: 'function', function: { name: tool.name, arguments: JSON.stringify(args) } };
}

/** After tool results the answer is about them, so that another result gives another answer. */
function fromToolResults(messages: readonly DemoMessage[]): string | undefined {
  const results: string[] = [];
  for (let at = messages.length - 1; messages[at]?.role === 'tool'; at -= 1) {
    results.unshift(messageText(messages[at] as DemoMessage));
  }
  if (results.length === 0) return undefined;
  const asked = lastUserText(messages);
  return `I have looked it up${asked === '' ? '' : ` for “${asked.slice(0, 80)}”`}. The result is: ${results.join('; ').slice(0, 600)}`;
}

function contentFor(request: DemoChatRequest): string {
  if (isJudgePrompt(request)) return demoVerdict(request);
  const text = fromToolResults(request.messages) ?? answerFor(request.messages).text;
  if (!request.wantsJson) return text;
  const schema = request.jsonSchema;
  return JSON.stringify(schema === undefined ? { answer: text } : valueForSchema(schema, 'answer', text));
}

function cutAtStop(text: string, stops: readonly string[]): string {
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  return places.length === 0 ? text : text.slice(0, Math.min(...places));
}

function logprobsFor(tokens: readonly string[], top: number): unknown {
  const one = (token: string): object => ({
    token,
    logprob: -(hash32(token) % 1_000) / 1_000,
    bytes: [...Buffer.from(token)],
  });
  const content = tokens.map((token) => ({ ...one(token), top_logprobs: top > 0 ? [one(token)] : [] }));
  return { content, refusal: null };
}

export function promptTokens(messages: readonly DemoMessage[]): number {
  return messages.reduce((sum, message) => sum + TOKENS_PER_MESSAGE + countDemoTokens(messageText(message)), 3);
}

function usageOf(request: DemoChatRequest, completion: number): Usage {
  const prompt = promptTokens(request.messages);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** The demo's answer to a chat request, as if it had been captured; a pure function of the request. */
export function demoAnswer(request: DemoChatRequest): CapturedAnswer {
  const asked = lastUserText(request.messages);
  const toolsAllowed = request.messages.at(-1)?.role === 'user' || request.toolChoice === 'required';
  const tool = toolsAllowed ? toolFor(request, asked) : undefined;
  const base = { model: request.model, systemFingerprint: DEMO_FINGERPRINT, choices: request.choices, complete: true };
  if (tool !== undefined) {
    const call = callTool(tool, asked);
    const message: CapturedMessage = { role: 'assistant', content: null, tool_calls: [call] };
    const usage = usageOf(request, 6 + countDemoTokens(call.function?.arguments ?? ''));
    return { ...base, message, finishReason: 'tool_calls', usage, form: 'json' };
  }
  const whole = demoTokens(cutAtStop(contentFor(request), request.stop));
  const tokens = whole.slice(0, request.maxTokens ?? whole.length);
  const answer: CapturedAnswer = {
    ...base,
    message: { role: 'assistant', content: tokens.join('') },
    finishReason: tokens.length < whole.length ? 'length' : 'stop',
    usage: usageOf(request, tokens.length * request.choices),
    form: 'json',
  };
  if (request.logprobs) answer.logprobs = logprobsFor(tokens, request.topLogprobs);
  return answer;
}
