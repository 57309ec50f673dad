import { describe, expect, it } from 'vitest';
import { feedbackRequestSchema } from './feedback.schema.js';

describe('feedback', () => {
  it.each(['e_x\n', 'a\u0000', 'é', '', 'x'.repeat(201)])('refuses the id %j', (entry_id) => {
    expect(feedbackRequestSchema.safeParse({ entry_id, verdict: 'wrong' }).success).toBe(false);
    expect(feedbackRequestSchema.safeParse({ request_id: entry_id, verdict: 'wrong' }).success).toBe(false);
  });

  it('takes the ids that the gateway gives', () => {
    expect(feedbackRequestSchema.safeParse({ entry_id: `e_${'0'.repeat(32)}`, verdict: 'wrong' }).success).toBe(true);
  });
});
