import { configReferenceMarkdown, exampleYaml } from '@reprise/config';
import { metricsReferenceMarkdown } from '@reprise/observability';
import { replaceBlock } from './marked-block.js';
import { errorsPage } from './pages/errors.page.js';
import { headersPage } from './pages/headers.page.js';
import { reasonsPage } from './pages/reasons.page.js';
import { shortConfiguration } from './pages/short-configuration.js';

/** A generated file, or one that holds a generated block. */
export interface GeneratedDocument {
  /** Path from the root of the repository. */
  readonly path: string;
  /** The file's text, given what stands there now ('' when there is none). */
  readonly make: (current: string) => string;
}

/** Every document that is made from the sources. */
export const documents: readonly GeneratedDocument[] = [
  { path: 'docs/reference/configuration.md', make: configReferenceMarkdown },
  { path: 'docs/reference/errors.md', make: errorsPage },
  { path: 'docs/reference/headers.md', make: headersPage },
  { path: 'docs/reference/metrics.md', make: metricsReferenceMarkdown },
  { path: 'docs/reference/reasons.md', make: reasonsPage },
  { path: 'reprise.example.yaml', make: exampleYaml },
  { path: 'README.md', make: (current) => replaceBlock(current, 'configuration', shortConfiguration()) },
];
