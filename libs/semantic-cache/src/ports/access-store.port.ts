/** API keys that were taken back; a revocation is in force at the next request of every replica. */
export interface AccessStore {
  isRevoked(keyHash: string): Promise<boolean>;
  setRevoked(keyHash: string, revoked: boolean): Promise<void>;
}
