/** One dispatched server-sent event (WHATWG HTML §9.2); `event` is absent for the default type. */
export interface SseEvent {
  data: string;
  event?: string;
  id?: string;
}

const DEFAULT_LIMIT_CHARS = 8_000_000;

/**
 * Incremental parser of server-sent events from raw bytes, cut anywhere, also inside a UTF-8 sequence or a CRLF.
 * A single event longer than `limitChars` sets `overflow` and ends the parsing; {@link takeUnparsed} gives what follows.
 */
export class SseParser {
  private readonly decoder = new TextDecoder('utf-8');
  private rest = '';
  private scanned = 0;
  private skipLineFeed = false;
  private data: string[] = [];
  private dataChars = 0;
  private event = '';
  private id = '';
  private overflowed = false;
  private unparsed = '';

  constructor(private readonly limitChars: number = DEFAULT_LIMIT_CHARS) {}

  /** An event was too long; nothing is parsed from there on. */
  get overflow(): boolean {
    return this.overflowed;
  }

  /** After an overflow: the text from the beginning of the event that was too long on, each piece of it once. */
  takeUnparsed(): string {
    const text = this.unparsed;
    this.unparsed = '';
    return text;
  }

  /** Bytes were seen since the last dispatched event: at the end of a stream this is an event that was cut off. */
  get pending(): boolean {
    return this.data.length > 0 || this.rest !== '';
  }

  /** The events that these bytes complete, in order. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.feed(this.decoder.decode(bytes, { stream: true }));
  }

  /** The last events once no more bytes come; an event without its closing blank line is dropped, as the standard says. */
  end(): SseEvent[] {
    return this.feed(this.decoder.decode());
  }

  private feed(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    if (this.overflowed) this.unparsed += text;
    if (this.overflowed || text === '') return events;
    this.rest += text;
    let start = 0;
    for (let at = this.scanned; at < this.rest.length; at += 1) {
      const char = this.rest.charCodeAt(at);
      if (char === 10 && this.skipLineFeed && at === start) {
        this.skipLineFeed = false;
        start = at + 1;
        continue;
      }
      if (at === start) this.skipLineFeed = false;
      if (char !== 10 && char !== 13) continue;
      this.line(this.rest.slice(start, at), events);
      this.skipLineFeed = char === 13;
      start = at + 1;
    }
    this.rest = this.rest.slice(start);
    this.scanned = this.rest.length;
    if (this.rest.length + this.dataChars > this.limitChars) this.fail();
    return events;
  }

  private fail(): void {
    this.overflowed = true;
    const kind = this.event === '' ? '' : `event: ${this.event}\n`;
    this.unparsed = kind + this.data.map((value) => `data: ${value}\n`).join('') + this.rest;
    this.rest = '';
    this.data = [];
  }

  private line(line: string, events: SseEvent[]): void {
    if (line === '') {
      this.dispatch(events);
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    if (field === 'data') {
      this.data.push(value);
      this.dataChars += value.length;
    } else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
  }

  private dispatch(events: SseEvent[]): void {
    if (this.data.length > 0) {
      const event: SseEvent = { data: this.data.join('\n') };
      if (this.event !== '') event.event = this.event;
      if (this.id !== '') event.id = this.id;
      events.push(event);
    }
    this.data = [];
    this.dataChars = 0;
    this.event = '';
  }
}
