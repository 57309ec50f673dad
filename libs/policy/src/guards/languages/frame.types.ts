/** One frame as data: a pattern on the lower-cased sentence and what it becomes. */
export interface FrameData {
  /** Regular expression; `{{name}}` stands for a fragment. */
  readonly match: string;
  /** Replacement of the match (`$1` = group 1). */
  readonly put?: string;
  /** Question type that the frame settles; without it the next frames are tried on the result. */
  readonly type?: string;
  /** Name of a reader in code for frames that need one. */
  readonly read?: string;
}

/** A frame ready to run. */
export interface Frame {
  readonly pattern: RegExp;
  readonly put: string;
  readonly type: string | undefined;
  readonly read: string | undefined;
}
