/** A conversation whose close is scheduled. */
export interface IdleConversation {
  readonly ns: string;
  readonly conversation: string;
  /** Pause after which it is closed. */
  readonly idleMs: number;
  /** When the request came that this close was scheduled for. */
  readonly touchedMs: number;
}

/** Work that goes to the workers. Producing never throws on the request path: a lost job is counted. */
export interface JobProducer {
  /** (Re)schedules the close of an idle conversation, debounced. */
  conversationClose(ns: string, conversation: string, idleMs: number): void;
  close(): Promise<void>;
}
