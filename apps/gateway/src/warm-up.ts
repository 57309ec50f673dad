import { compareFingerprints, parseFingerprint } from '@reprise/policy';
import type { Runtime } from '@reprise/nest';

const texts = [
  'How do I warm an engine up?',
  'What is the way to warm an engine up?',
  'Wie wärmt man einen Motor auf?',
];

/**
 * Uses every slow-to-start part once before the first caller comes: the model, the guard rule's word lists, the
 * connections to Redis. Nothing is stored; a part that fails is named by /readyz as at any other time.
 */
export async function warmUp({ embedder, entries, access }: Runtime): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (const text of texts) {
      compareFingerprints(parseFingerprint(text), parseFingerprint(texts[0] as string), 1);
      // Another text each time: the vectors kept in process would answer the same one.
      await embedder.embed(`${text} ${round}`);
    }
    await Promise.allSettled([entries.policy('~warm-up', 0), access.isRevoked('')]);
  }
}
