import { z } from 'zod';

const scopeName = z.string().min(1).max(200);

const scopeFields = {
  agent: scopeName.optional(),
  run: scopeName.optional(),
};

const id = z.string().min(1).max(200);

/** Body of POST /v1/memory. */
export const memoryRequestSchema = z.strictObject({
  text: z.string().min(1).max(4096),
  ...scopeFields,
  importance: z.number().min(0).max(1e9).default(0),
  tags: z.array(z.string().min(1).max(200)).max(32).default([]),
  metadata: z.record(z.string().max(200), z.unknown()).default({}),
  ttl_ms: z.number().int().min(1).max(315_360_000_000).optional(),
  supersedes: z.array(id).max(100).default([]),
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
  request_id: id,
  used: z.array(id).max(50).default([]),
  score: z.number().min(0).max(1),
  importance: z.number().min(0).max(1e9).default(0),
});
