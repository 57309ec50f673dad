import { isObject, type JsonObject } from '../capture/captured-answer.js';
import type { DemoMessage } from './help-desk/messages.js';

export interface DemoTool {
  name: string;
  description: string;
  parameters: JsonObject;
}

/** A chat request as far as the demo upstream reads it. */
export interface DemoChatRequest {
  model: string;
  messages: readonly DemoMessage[];
  stream: boolean;
  includeUsage: boolean;
  choices: number;
  maxTokens: number | undefined;
  stop: readonly string[];
  tools: readonly DemoTool[];
  /** `none`, `auto`, `required`, or the name of the one tool to call. */
  toolChoice: string;
  jsonSchema: JsonObject | undefined;
  wantsJson: boolean;
  /** Name of the JSON schema that is asked for; '' without one. */
  schemaName: string;
  logprobs: boolean;
  topLogprobs: number;
}

/** A refused request: becomes an OpenAI-shaped 400. */
export class DemoBadRequest extends Error {
  constructor(
    message: string,
    readonly param: string | null,
  ) {
    super(message);
  }
}

function readTool(value: unknown): DemoTool[] {
  const target = isObject(value) ? value['function'] : undefined;
  if (!isObject(target) || typeof target['name'] !== 'string') return [];
  const description = typeof target['description'] === 'string' ? target['description'] : '';
  return [
    { name: target['name'], description, parameters: isObject(target['parameters']) ? target['parameters'] : {} },
  ];
}

function readToolChoice(value: unknown): string {
  if (typeof value === 'string') return value;
  const target = isObject(value) ? value['function'] : undefined;
  return isObject(target) && typeof target['name'] === 'string' ? target['name'] : 'auto';
}

function readStop(value: unknown): string[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  return list.filter((stop): stop is string => typeof stop === 'string' && stop !== '');
}

function readMessages(value: unknown): DemoMessage[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new DemoBadRequest("'messages' must be a list with at least one message.", 'messages');
  }
  return (value as unknown[]).map((message) => {
    if (!isObject(message) || typeof message['role'] !== 'string') {
      throw new DemoBadRequest('Each message needs a role.', 'messages');
    }
    return { role: message['role'], content: message['content'] };
  });
}

function readChoices(value: unknown): number {
  if (value === undefined || value === null) return 1;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 16) {
    throw new DemoBadRequest("'n' must be an integer from 1 to 16.", 'n');
  }
  return value;
}

function readMaxTokens(body: JsonObject): number | undefined {
  const value = body['max_completion_tokens'] ?? body['max_tokens'];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw new DemoBadRequest("'max_tokens' must be a positive integer.", 'max_tokens');
  }
  return value;
}

/** Checks what a provider would check; throws `DemoBadRequest`. */
export function readChatRequest(body: unknown): DemoChatRequest {
  if (!isObject(body)) throw new DemoBadRequest('The body must be a JSON object.', null);
  if (typeof body['model'] !== 'string' || body['model'] === '') {
    throw new DemoBadRequest("'model' must be a string.", 'model');
  }
  const format = isObject(body['response_format']) ? body['response_format'] : {};
  const schemaBox = isObject(format['json_schema']) ? format['json_schema'] : {};
  const options = isObject(body['stream_options']) ? body['stream_options'] : {};
  return {
    model: body['model'],
    messages: readMessages(body['messages']),
    stream: body['stream'] === true,
    includeUsage: options['include_usage'] === true,
    choices: readChoices(body['n']),
    maxTokens: readMaxTokens(body),
    stop: readStop(body['stop']),
    tools: Array.isArray(body['tools']) ? body['tools'].flatMap(readTool) : [],
    toolChoice: readToolChoice(body['tool_choice']),
    wantsJson: format['type'] === 'json_object' || format['type'] === 'json_schema',
    schemaName: typeof schemaBox['name'] === 'string' ? schemaBox['name'] : '',
    jsonSchema: isObject(schemaBox['schema']) ? schemaBox['schema'] : undefined,
    logprobs: body['logprobs'] === true,
    topLogprobs: typeof body['top_logprobs'] === 'number' ? body['top_logprobs'] : 0,
  };
}
