/** Version of the parser and its lists; raised whenever a stored fingerprint would be read differently. */
export const GUARD_VERSION = 5;

/** Longest text, in UTF-16 units, that is analysed; a longer one is served on `equal` only. */
export const MAX_ANALYSED_LENGTH = 512;
