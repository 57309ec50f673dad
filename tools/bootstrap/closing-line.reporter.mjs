// A vitest reporter beside the default one: counts the tests and closes with `N passed, N failed, N skipped`.
// With REPRISE_CLOSING_FILE the line goes into that file instead, for a caller that prints it last itself.
import { writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {Counts} counts */
export const closingLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/**
 * Counts the results. A file that could not be loaded, and an error outside of any test, count as one failure each.
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @param {readonly unknown[]} errors
 * @returns {Counts}
 */
export function countResults(modules, errors) {
  const counts = { passed: 0, failed: errors.length, skipped: 0 };
  for (const module of modules) {
    let tests = 0;
    let failed = 0;
    for (const test of module.children.allTests()) {
      tests++;
      const { state } = test.result();
      if (state === 'passed') counts.passed++;
      else if (state === 'failed') failed++;
      else counts.skipped++;
    }
    // A hook or an import that fails leaves no failed test behind.
    counts.failed += failed || (module.ok() && tests > 0 ? 0 : 1);
  }
  return counts;
}

/** Its hook is that of vitest's Reporter. */
export default class ClosingLineReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(modules, errors) {
    const line = closingLine(countResults(modules, errors));
    const file = process.env['REPRISE_CLOSING_FILE'];
    if (file) writeFileSync(file, `${line}\n`);
    else console.log(line);
  }
}
