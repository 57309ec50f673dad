import { z } from 'zod';
import { appConfigSchema } from './app-config.schema.js';

/** The part of JSON Schema that zod writes for our schema. */
export interface JsonNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly secret?: boolean;
  readonly properties?: Readonly<Record<string, JsonNode>>;
  readonly items?: JsonNode;
  readonly required?: readonly string[];
}

let cached: JsonNode | undefined;

/** The schema of reprise.yaml as JSON Schema (2020-12). */
export function configJsonSchema(): JsonNode {
  cached ??= z.toJSONSchema(appConfigSchema, { io: 'output' }) as unknown as JsonNode;
  return cached;
}

/** The node at a path; array positions lead to the members' node. */
export function nodeAt(path: readonly PropertyKey[]): JsonNode | undefined {
  let node: JsonNode | undefined = configJsonSchema();
  for (const part of path) {
    if (!node) return undefined;
    node = typeof part === 'number' ? node.items : node.properties?.[String(part)];
  }
  return node;
}

/** A key that holds a value: everything that is not an object with named keys. */
export interface ConfigKey {
  readonly path: readonly string[];
  readonly node: JsonNode;
}

/** Every key of the configuration, depth first, in the order of the schema. */
export function configKeys(node: JsonNode = configJsonSchema(), path: readonly string[] = []): readonly ConfigKey[] {
  if (!node.properties) return [{ path, node }];
  return Object.entries(node.properties).flatMap(([key, child]) => configKeys(child, [...path, key]));
}
