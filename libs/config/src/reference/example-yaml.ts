import { describeConfig, type DescribedKey } from './describe.js';

const head = `# Configuration of Reprise. Every line is commented out and shows the default; docs/reference/configuration.md explains all keys.
# generated from libs/config/src/schema; do not edit
`;

const WIDTH = 118;

function comment(text: string, indent: string): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    if (current && indent.length + current.length + word.length + 3 > WIDTH) {
      lines.push(`${indent}# ${current}`);
      current = word;
    } else current = current ? `${current} ${word}` : word;
  }
  return [...lines, `${indent}# ${current}`];
}

/** Keys of one section, with a commented line for each object on the way. */
function keyLines(keys: readonly DescribedKey[]): string[] {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const key of keys) {
    const parts = key.path.split('.').slice(1);
    const parents = parts.slice(0, -1);
    parents.forEach((name, depth) => {
      if (open[depth] !== name) lines.push(`# ${'  '.repeat(depth + 1)}${name}:`);
    });
    open = parents;
    const indent = '  '.repeat(parts.length);
    const short = key.variables.slice(1).map((name) => ` Env: ${name}.`);
    if (key.meaning) lines.push(...comment(key.meaning + short.join(''), `# ${indent}`));
    lines.push(`# ${indent}${parts.at(-1) ?? ''}: ${key.fallback ?? ''}`.trimEnd());
  }
  return lines;
}

/** The file reprise.example.yaml: all sections and keys, commented out, with their defaults. */
export function exampleYaml(): string {
  const sections = describeConfig().flatMap((section) => {
    const [only] = section.keys;
    if (section.keys.length === 1 && only?.path === section.name) {
      return ['', ...comment(section.meaning, ''), `# ${section.name}: ${only.fallback ?? ''}`];
    }
    return ['', ...comment(section.meaning, ''), `# ${section.name}:`, ...keyLines(section.keys)];
  });
  return `${[head.trimEnd(), ...sections].join('\n')}\n`;
}
