interface Chunk {
  id?: unknown;
  created?: unknown;
  choices?: { delta?: Record<string, unknown>; finish_reason?: unknown }[];
  [field: string]: unknown;
}

/**
 * The chunks that one client has been given, under one id, so that a stream can go on from another leader's answer.
 * After {@link restart} the new stream must repeat the text already sent; the repetition is swallowed.
 */
export class StreamSplice {
  private sent = '';
  private skipped = '';
  private onlyText = true;
  private any = false;
  private over = false;
  private again = false;
  private settled = false;

  constructor(
    readonly id: string,
    readonly createdSeconds: number,
  ) {}

  /** Something has reached the client. */
  get started(): boolean {
    return this.any;
  }

  /** The client has been told why the answer ended. */
  get finished(): boolean {
    return this.over;
  }

  /** Another stream of the same answer begins. */
  restart(): void {
    this.skipped = '';
    this.again = this.any;
  }

  /** No further stream of this answer will begin: what is sent from now on need not be remembered. */
  settle(): void {
    this.settled = true;
  }

  /** The event for this client, '' when there is nothing to send, undefined when the streams do not agree. */
  next(data: string): string | undefined {
    const chunk = JSON.parse(data) as Chunk;
    const choice = chunk.choices?.[0];
    const delta = choice?.delta;
    const text = typeof delta?.['content'] === 'string' ? delta['content'] : '';
    const other =
      delta !== undefined &&
      Object.entries(delta).some(([name, value]) => name !== 'content' && name !== 'role' && value !== null);
    if (this.again) {
      // Only text can be told apart from its repetition.
      if (!this.onlyText) return undefined;
      if (this.skipped.length < this.sent.length) return other ? undefined : this.catchUp(chunk, delta, text);
      if (choice !== undefined && this.nothingNew(text, other, choice.finish_reason)) return '';
    }
    if (other) this.onlyText = false;
    if (choice?.finish_reason) this.over = true;
    this.remember(text);
    this.any = true;
    return this.encode(chunk);
  }

  private remember(text: string): void {
    if (this.settled) return;
    this.sent += text;
    this.skipped += text;
  }

  /** The role, or the end, that this client has had from an earlier stream. */
  private nothingNew(text: string, other: boolean, finish: unknown): boolean {
    return text === '' && !other && (!finish || this.over);
  }

  private catchUp(chunk: Chunk, delta: Record<string, unknown> | undefined, text: string): string | undefined {
    const due = this.sent.slice(this.skipped.length);
    if (text === '') return chunk.choices?.[0]?.finish_reason ? undefined : '';
    if (due.startsWith(text)) {
      this.skipped += text;
      return '';
    }
    if (!text.startsWith(due) || delta === undefined) return undefined;
    delta['content'] = text.slice(due.length);
    this.sent += delta['content'] as string;
    this.skipped = this.sent;
    return this.encode(chunk);
  }

  private encode(chunk: Chunk): string {
    chunk.id = this.id;
    chunk.created = this.createdSeconds;
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}
