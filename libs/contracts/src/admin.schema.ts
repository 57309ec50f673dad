import { z } from 'zod';

/** Body of POST /admin/api/namespaces/{ns}/purge; `dry_run` is on unless switched off. */
export const purgeRequestSchema = z
  .strictObject({
    entry_id: z.string().min(1).max(200).optional(),
    tag: z.string().min(1).max(500).optional(),
    model: z.string().min(1).max(200).optional(),
    conversation: z.string().min(1).max(200).optional(),
    user: z.string().min(1).max(500).optional(),
    exact_key: z.string().min(1).max(200).optional(),
    older_than_ms: z.number().int().nonnegative().optional(),
    all: z.literal(true).optional(),
    dry_run: z.boolean().default(true),
  })
  .refine((body) => Object.keys(body).length > 1, { message: 'give at least one filter' });

export const quarantineRequestSchema = z.strictObject({
  entry_id: z.string().min(1).max(200),
  reason: z.string().max(500).default('operator'),
});

export const revokeKeyRequestSchema = z.strictObject({
  key_sha256: z.string().regex(/^[0-9a-f]{64}$/, 'a lower-case sha256 of the key'),
  revoked: z.boolean().default(true),
});
