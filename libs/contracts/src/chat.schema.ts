import { z } from 'zod';

/** One part of a message's content; unknown kinds pass (and are never cached). */
export const contentPartSchema = z.looseObject({ type: z.string() });

export const chatMessageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(contentPartSchema), z.null()]).optional(),
});

/** Body of POST /v1/chat/completions as far as the cache reads it; every other field passes untouched. */
export const chatCompletionRequestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(chatMessageSchema).min(1),
  stream: z.union([z.boolean(), z.null()]).optional(),
  stream_options: z.union([z.looseObject({ include_usage: z.boolean().optional() }), z.null()]).optional(),
  temperature: z.union([z.number(), z.null()]).optional(),
  n: z.union([z.number(), z.null()]).optional(),
  user: z.union([z.string(), z.null()]).optional(),
});

export type ChatMessage = z.infer<typeof chatMessageSchema>;
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>;

/** Body of POST /v1/embeddings as far as the cache reads it. */
export const embeddingsRequestSchema = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string()), z.array(z.number()), z.array(z.array(z.number()))]),
});
export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;
