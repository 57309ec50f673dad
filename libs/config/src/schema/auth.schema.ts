import { z } from 'zod';
import { policyOverrideFields, sharingSchema } from './cache.schema.js';

const sha256Hex = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be the SHA-256 of a key, 64 hex digits in lower case' });

const tenantSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, {
      error: 'must be 1 to 63 of a-z, 0-9, - and _, beginning with a letter or digit',
    })
    .meta({ description: 'Name of the tenant.' }),
  keys: z
    .array(sha256Hex)
    .min(1)
    .max(10_000)
    .meta({ description: 'SHA-256 (hex) of each API key that the tenant may present.' }),
  sharing: sharingSchema.exactOptional(),
  ...policyOverrideFields,
});

export const authSchema = z
  .strictObject({
    adminTokenFile: z
      .string()
      .min(1)
      .default('.reprise/admin-token')
      .meta({ description: 'File of the token of the admin endpoints; made at the first start.' }),
    adminTokenHash: sha256Hex.exactOptional().meta({
      secret: true,
      description: 'SHA-256 (hex) of the admin token; replaces the file.',
    }),
    tenants: z.array(tenantSchema).max(10_000).default([]).meta({
      description:
        'Who may call. With none listed every key is a tenant of its own. A tenant may set the keys of cache (mode, capacity, errorBudget, …) for itself.',
    }),
  })
  .prefault({})
  .meta({ description: 'Callers and operators.' });
