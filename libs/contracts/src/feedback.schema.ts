import { z } from 'zod';

/** An id as the gateway gives them: printable ASCII. */
const id = z.string().regex(/^[!-~]{1,200}$/, 'not an id');

/** Body of POST /v1/feedback. */
export const feedbackRequestSchema = z
  .object({
    request_id: id.optional(),
    entry_id: id.optional(),
    verdict: z.enum(['wrong', 'right']),
    note: z.string().max(2000).optional(),
  })
  .refine((body) => (body.request_id === undefined) !== (body.entry_id === undefined), {
    message: 'give exactly one of request_id and entry_id',
  });

export type FeedbackRequest = z.infer<typeof feedbackRequestSchema>;
