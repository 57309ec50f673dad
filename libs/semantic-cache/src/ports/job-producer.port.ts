import type { LabelRecord } from './risk-store.port.js';

/** A conversation whose close is scheduled. */
export interface IdleConversation {
  readonly ns: string;
  readonly conversation: string;
  /** Pause after which it is closed. */
  readonly idleMs: number;
  /** When the request came that this close was scheduled for. */
  readonly touchedMs: number;
}

/** A reuse, or a reuse that was not made, that is to be judged. Its texts are gone with the job. */
export interface JudgeJob {
  readonly ns: string;
  /** What the worker adds its verdict to. */
  readonly label: Omit<LabelRecord, 'rejected' | 'judge'>;
  /** Newest earlier messages, oldest first. */
  readonly history: readonly { readonly role: string; readonly text: string }[];
  readonly message: string;
  /** Answer of the candidate. */
  readonly candidate: string;
  /** The answer that was generated instead; absent when the candidate was served. */
  readonly fresh?: string;
}

/** Work that goes to the workers. Producing never throws on the request path: a lost job is counted. */
export interface JobProducer {
  /** (Re)schedules the close of an idle conversation, debounced. */
  conversationClose(ns: string, conversation: string, idleMs: number): void;
  /** Has a reuse judged; the job is lost when Redis is away or slow, or when the judges are far behind. */
  judge(job: JudgeJob): void;
  close(): Promise<void>;
}
