import { z } from 'zod';

/** Body of POST /v1/feedback. */
export const feedbackRequestSchema = z
  .object({
    request_id: z.string().min(1).max(200).optional(),
    entry_id: z.string().min(1).max(200).optional(),
    verdict: z.enum(['wrong', 'right']),
    note: z.string().max(2000).optional(),
  })
  .refine((body) => (body.request_id === undefined) !== (body.entry_id === undefined), {
    message: 'give exactly one of request_id and entry_id',
  });

export type FeedbackRequest = z.infer<typeof feedbackRequestSchema>;
