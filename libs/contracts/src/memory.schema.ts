import { z } from 'zod';

/** Control characters, which the store divides its lists by. */
const control = /[\0-\x1f\x7f]/;
const utf8 = new TextEncoder();

/** A name as the store takes it. */
const name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !control.test(text), { error: 'must hold no control characters' })
  .refine((text) => utf8.encode(text).length <= 200, { error: 'must be at most 200 bytes of UTF-8' });
/** A tag as the store takes it. */
const tag = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => utf8.encode(text).length <= 512, { error: 'must be at most 512 bytes of UTF-8' });

const scopeFields = {
  agent: name.optional(),
  run: name.optional(),
};

/** Body of POST /v1/memory. */
export const memoryRequestSchema = z.strictObject({
  text: z.string().min(1).max(4096),
  ...scopeFields,
  importance: z.number().min(0).max(1e9).default(0),
  tags: z.array(tag).max(32).default([]),
  metadata: z.record(z.string().max(200), z.unknown()).default({}),
  ttl_ms: z.number().int().min(1).max(315_360_000_000).optional(),
  supersedes: z.array(name).max(100).default([]),
  user: z.string().max(500).optional(),
});

/** Body of POST /v1/memory/search. */
export const memorySearchSchema = z.strictObject({
  query: z.string().min(1).max(4096),
  ...scopeFields,
  k: z.number().int().min(1).max(50).default(3),
  inherit: z.boolean().default(false),
  min_similarity: z.number().min(-1).max(1).default(-1),
});

/** Body of POST /v1/memory/feedback: how the work that a recall was for turned out. */
export const memoryFeedbackSchema = z.strictObject({
  request_id: name,
  used: z.array(name).max(50).default([]),
  score: z.number().min(0).max(1),
  importance: z.number().min(0).max(1e9).default(0),
});
