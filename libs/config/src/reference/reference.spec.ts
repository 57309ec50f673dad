import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../load/load-config.js';
import { configKeys } from '../schema/flatten.js';
import { appConfigSchema } from '../schema/app-config.schema.js';
import { configReferenceMarkdown } from './configuration-reference.js';
import { exampleYaml } from './example-yaml.js';

const root = new URL('../../../../', import.meta.url);
const committed = (name: string): string => readFileSync(new URL(name, root), 'utf8');

describe('reference', () => {
  it('every key has a meaning and a row', () => {
    const page = configReferenceMarkdown();
    for (const { path, node } of configKeys()) {
      expect(node.description, path.join('.')).toMatch(/\w.*\.$/);
      expect(page).toContain(`| \`${path.join('.')}\` |`);
    }
  });

  it('the committed pages are the generated ones (node libs/config/scripts/write-reference.mjs)', () => {
    expect(committed('docs/reference/configuration.md')).toBe(configReferenceMarkdown());
    expect(committed('reprise.example.yaml')).toBe(exampleYaml());
  });

  it('the example with its keys uncommented is a valid file that changes nothing', () => {
    const lines = exampleYaml()
      .split('\n')
      .filter((line) => /^# ( {2})*[a-zA-Z]+:( |$)/.test(line) && !/: [A-Z]/.test(line))
      .map((line) => line.slice(2));
    const raw = parse(lines.join('\n')) as Record<string, Record<string, unknown> | null>;
    // `key:` without a value stands for a key without a default.
    const withoutEmpty = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .filter(([, member]) => member !== null)
              .map(([key, member]) => [key, withoutEmpty(member)]),
          );
    const parsed = appConfigSchema.parse(withoutEmpty(raw));
    expect(parsed).toEqual(appConfigSchema.parse({}));
    expect(Object.keys(raw).length).toBe(Object.keys(appConfigSchema.shape).length);
  });

  it('a folder without a file loads', () => {
    expect(existsSync('/nowhere-at-all')).toBe(false);
    expect(loadConfig({ env: {}, cwd: '/nowhere-at-all' }).ok).toBe(true);
  });
});
