import {
  asUsage,
  isObject,
  type CapturedAnswer,
  type CapturedMessage,
  type CapturedToolCall,
  type JsonObject,
} from './captured-answer.js';

function toolCall(value: unknown): CapturedToolCall {
  const call = isObject(value) ? value : {};
  const known: CapturedToolCall = {
    ...call,
    id: typeof call['id'] === 'string' ? call['id'] : '',
    type: typeof call['type'] === 'string' ? call['type'] : 'function',
  } as CapturedToolCall;
  const target = call['function'];
  if (isObject(target)) {
    known.function = {
      ...target,
      name: typeof target['name'] === 'string' ? target['name'] : '',
      arguments: typeof target['arguments'] === 'string' ? target['arguments'] : '',
    };
  }
  return known;
}

function toMessage(value: JsonObject): CapturedMessage {
  const message: CapturedMessage = {
    ...value,
    role: 'assistant',
    content: typeof value['content'] === 'string' ? value['content'] : null,
  } as CapturedMessage;
  if (Array.isArray(value['tool_calls'])) message.tool_calls = value['tool_calls'].map(toolCall);
  return message;
}

/** Fields beside the choices that a replay must repeat. */
export function applyEnvelope(answer: CapturedAnswer, body: JsonObject): void {
  if (typeof body['model'] === 'string') answer.model = body['model'];
  if (typeof body['system_fingerprint'] === 'string') answer.systemFingerprint = body['system_fingerprint'];
  if (typeof body['service_tier'] === 'string') answer.serviceTier = body['service_tier'];
  const usage = asUsage(body['usage']);
  if (usage !== undefined) answer.usage = usage;
  if (body['error'] !== undefined && body['error'] !== null) answer.error = body['error'];
}

/** The answer in a parsed JSON completion; anything that is not one gives an incomplete answer without choices. */
export function fromJsonCompletion(json: unknown): CapturedAnswer {
  const answer: CapturedAnswer = {
    message: { role: 'assistant', content: null },
    finishReason: null,
    choices: 0,
    complete: false,
    form: 'json',
  };
  if (!isObject(json)) {
    answer.error = 'not a completion object';
    return answer;
  }
  applyEnvelope(answer, json);
  const choices = Array.isArray(json['choices']) ? json['choices'].filter(isObject) : [];
  answer.choices = choices.length;
  const first = choices.find((choice) => choice['index'] === 0) ?? choices[0];
  if (first === undefined) return answer;
  if (isObject(first['message'])) answer.message = toMessage(first['message']);
  if (typeof first['finish_reason'] === 'string') answer.finishReason = first['finish_reason'];
  if (isObject(first['logprobs'])) answer.logprobs = first['logprobs'];
  answer.complete = isObject(first['message']) && answer.finishReason !== null;
  return answer;
}
