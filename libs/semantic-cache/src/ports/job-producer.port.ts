/** Work that goes to the workers. Producing never throws on the request path: a lost job is counted. */
export interface JobProducer {
  /** (Re)schedules the close of an idle conversation, debounced. */
  conversationClose(ns: string, conversation: string, idleMs: number): void;
  close(): Promise<void>;
}
