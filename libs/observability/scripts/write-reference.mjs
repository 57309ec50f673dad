// Writes docs/reference/metrics.md from the built metric table (npx tsc -b libs/observability first).
import { writeFileSync } from 'node:fs';
import { metricsReferenceMarkdown } from '../dist/index.js';

writeFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), metricsReferenceMarkdown());
