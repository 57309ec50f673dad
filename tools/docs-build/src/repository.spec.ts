import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((file) => join('docs', String(file)))
    .filter((file) => file.endsWith('.md')),
];

/** Targets of a page's links inside the repository, without anchors. */
function linksOf(page: string): string[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? '').split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

describe('documents', () => {
  it.each(pages)('%s: every link leads somewhere', (page) => {
    const dead = linksOf(page).filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(dead).toEqual([]);
  });

  it('design decisions name tests that exist', () => {
    const pins = [...read('docs/design-decisions.md').matchAll(/Pinned by `([^`]+)`/g)].map((match) => match[1] ?? '');
    expect(pins.length).toBeGreaterThan(10);
    expect(pins.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('every decision record is in the list', () => {
    const records = readdirSync(join(root, 'docs', 'adr')).filter((file) => /^\d{4}-/.test(file));
    expect(linksOf('docs/adr/README.md').sort()).toEqual(records.sort());
  });
});

describe('the build', () => {
  it('refers to every workspace that has sources', () => {
    const { references } = JSON.parse(read('tsconfig.json')) as { references: { path: string }[] };
    const built = references.map(({ path }) => path.replace('./', ''));
    const workspaces = ['libs', 'apps', 'tools'].flatMap((group) =>
      readdirSync(join(root, group)).map((name) => `${group}/${name}`),
    );
    const withSources = workspaces.filter(
      (path) =>
        existsSync(join(root, path, 'tsconfig.json')) &&
        existsSync(join(root, path, 'src')) &&
        readdirSync(join(root, path, 'src'), { recursive: true }).some((file) => /(?<!\.spec)\.ts$/.test(String(file))),
    );
    expect(withSources.filter((path) => !built.includes(path))).toEqual([]);
    expect(built.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
