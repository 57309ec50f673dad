/** Everything that one decision was made from, kept for a while for `explain` and feedback by request id. */
export interface DecisionLog {
  /** Not awaited on the request path. `entryId` '' when none was served or considered. */
  record(
    ns: string,
    requestId: string,
    entryId: string,
    conversation: string,
    record: string,
    keepMs: number,
    nowMs: number,
    /** Hash of the caller-given end user, so that a purge by user finds the record; '' if none. */
    user?: string,
  ): Promise<void>;
  /** What is known of a request; `served` is there as soon as its answer is, `record` may follow. */
  read(ns: string, requestId: string): Promise<{ readonly record?: string; readonly served?: string } | undefined>;
}
