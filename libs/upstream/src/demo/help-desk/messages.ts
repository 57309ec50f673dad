/** A chat message as far as the help desk reads it. */
export interface DemoMessage {
  role: string;
  content?: unknown;
}

/** The text of a message: a string, or the text parts of a list of parts. */
export function messageText(message: DemoMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const part of content as unknown[]) {
    if (typeof part !== 'object' || part === null) continue;
    const text = (part as { text?: unknown }).text;
    if (typeof text === 'string') texts.push(text);
  }
  return texts.join('\n');
}

/** The texts of the user's messages, in order. */
export function userTexts(messages: readonly DemoMessage[]): string[] {
  return messages.filter((message) => message.role === 'user').map(messageText);
}
