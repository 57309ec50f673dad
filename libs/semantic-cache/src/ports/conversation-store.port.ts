/** What became of a conversation that was to be closed for being idle. */
export type IdleClose =
  /** `unknown`: it is closed already, or its state is gone. */
  | { readonly outcome: 'closed' | 'unknown' }
  /** It goes on; the time of its last `join` or `advance`. */
  | { readonly outcome: 'busy'; readonly touchedMs: number };

/** A conversation that a request goes on with or opens. */
export interface JoinedConversation {
  readonly id: string;
  /** Version of what was learned that it is decided by to its end; 0: nothing was learned when it began. */
  readonly snapshot: number;
}

/** Identity of conversations (architecture.md §3.3): a request joins the conversation whose head its history equals. */
export interface ConversationStore {
  /**
   * Takes the conversation that waits at `head` (hash of all messages before the current one); when none waits
   * there, `fresh` opens a new one (a fork, or a first turn).
   */
  join(ns: string, head: string, fresh: string, nowMs: number, idleMs: number): Promise<JoinedConversation>;
  /** The snapshot of a conversation that its caller names; undefined: it begins. */
  pinned(ns: string, conversation: string): Promise<number | undefined>;
  /**
   * Moves the conversation to its next head: the hash of the messages including the answer. `snapshot`: what its first
   * turn was decided by; one that has its snapshot keeps it.
   */
  advance(
    ns: string,
    conversation: string,
    nextHead: string,
    nowMs: number,
    idleMs: number,
    snapshot?: number,
  ): Promise<void>;
  /** Ends it; true when it was open. */
  close(ns: string, conversation: string): Promise<boolean>;
  /**
   * Ends it when its last `join` or `advance` is at least `idleMs` before `nowMs`; looking and ending are one atomic step.
   * State must outlive `idleMs` (by as much again), so that the job that closes still finds it.
   */
  closeIdle(ns: string, conversation: string, nowMs: number, idleMs: number): Promise<IdleClose>;
}
