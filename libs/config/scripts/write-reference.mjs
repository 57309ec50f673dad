// Writes docs/reference/configuration.md and reprise.example.yaml from the built schema (npx tsc -b libs/config first).
import { writeFileSync } from 'node:fs';
import { configReferenceMarkdown, exampleYaml } from '../dist/index.js';

const root = new URL('../../../', import.meta.url);
writeFileSync(new URL('docs/reference/configuration.md', root), configReferenceMarkdown());
writeFileSync(new URL('reprise.example.yaml', root), exampleYaml());
