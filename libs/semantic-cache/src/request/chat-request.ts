/** A chat request as the core reads it: the parsed body, with every unknown field kept. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatTurn[];
  readonly [field: string]: unknown;
}

export interface ChatTurn {
  readonly role: string;
  readonly content?: string | readonly ContentPart[] | null | undefined;
  readonly [field: string]: unknown;
}

export interface ContentPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Roles whose messages set the frame of a conversation and take no turn in it. */
const framing = new Set(['system', 'developer']);

export const isFraming = (turn: ChatTurn): boolean => framing.has(turn.role);

/** The message's text parts joined by line feeds; undefined when it has none (tool result without text, picture only). */
export function textOf(turn: ChatTurn): string | undefined {
  if (typeof turn.content === 'string') return turn.content;
  if (!Array.isArray(turn.content)) return undefined;
  const texts = (turn.content as readonly ContentPart[])
    .filter((part) => part.type === 'text' && typeof part['text'] === 'string')
    .map((part) => part['text'] as string);
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** True when a message consists of text only. */
export function isTextOnly(turn: ChatTurn): boolean {
  if (typeof turn.content === 'string') return true;
  return Array.isArray(turn.content) && turn.content.every((part: ContentPart) => part.type === 'text');
}
