// Verdicts of the Python prototype (reference/guards beside the design documents) on labelled pairs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const MODEL_DIR = process.env.REPRISE_MODEL_DIR ?? join(root, '.cache/model');
const MODEL = join(MODEL_DIR, 'Xenova/all-MiniLM-L6-v2');

/** Reads pairs from standard input; numpy is only asked for by token vectors, which the recommended rule does not use. */
const PROGRAM = `
import sys, types
sys.dont_write_bytecode = True
try:
    import numpy
except ImportError:
    sys.modules['numpy'] = types.ModuleType('numpy')
sys.path.insert(0, sys.argv[1])
sys.argv = sys.argv[:1]
import json, verdict
for line in sys.stdin:
    p = json.loads(line)
    serve, reason = verdict.verdict(p['a'], p['b'], p['cos'])
    print(json.dumps({'serve': bool(serve), 'reason': reason}))
`;

/** Folder of the prototype. */
export function prototypeDir() {
  return resolve(root, process.env.REPRISE_GUARD_PROTOTYPE ?? '../shared/reference/guards');
}

/** Why the prototype cannot run; `undefined` when it can. */
export function prototypeProblem() {
  if (!existsSync(join(prototypeDir(), 'verdict.py'))) return `no verdict.py in ${prototypeDir()}`;
  if (!existsSync(join(MODEL, 'tokenizer.json'))) return `no tokenizer.json in ${MODEL}`;
  return undefined;
}

/**
 * The prototype's verdict on each pair, in order.
 * @param {readonly { a: string, b: string, cos: number }[]} pairs
 * @returns {{ serve: boolean, reason: string }[]}
 */
export function prototypeVerdicts(pairs) {
  const output = execFileSync('python3', ['-c', PROGRAM, prototypeDir()], {
    input: pairs.map((pair) => JSON.stringify(pair)).join('\n'),
    env: { ...process.env, MINILM: MODEL, PYTHONIOENCODING: 'utf-8' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
