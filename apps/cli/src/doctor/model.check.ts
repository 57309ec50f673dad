import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppConfig } from '@reprise/config';
import { type ManagedEmbedder, MODEL_NAME } from '@reprise/embeddings';
import type { Io } from '../io.js';
import { cosineOf, modelDirOf, openModel } from '../model.js';
import { repoRoot } from '../repo-root.js';
import { fail, type Finding, fine, warn } from './finding.js';

type Dtype = AppConfig['embedding']['dtype'];

const WEIGHTS: Readonly<Record<Dtype, string>> = {
  q8: 'onnx/model_quantized.onnx',
  fp32: 'onnx/model.onnx',
  int8: 'onnx/model_int8.onnx',
};
const FETCH =
  'npm start fetches the model; or set REPRISE_MODEL_DIR to a folder that holds it. Without it only the exact tier works.';

/** Two cosines that this model is known to give; q8, fp32 and int8 agree within .01. */
const KNOWN: readonly { readonly a: string; readonly b: string; readonly cosine: number }[] = [
  { a: 'How do I reset my password?', b: 'What can I do when I have forgotten my password?', cosine: 0.808 },
  { a: 'How do I reset my password?', b: 'Paris is the capital of France.', cosine: 0.03 },
];
const TOLERANCE = 0.05;

interface Pins {
  model?: Record<string, { files?: PinnedFiles; converted?: PinnedFiles } | undefined>;
}
type PinnedFiles = Record<string, { sha256?: string | null } | undefined>;

/** The hashes that the bootstrap pins for a file of the model, one for each way the model can come. */
export function pinnedHashes(pins: unknown, file: string): string[] {
  const { hub, wheel } = (pins as Pins).model ?? {};
  return [hub?.files?.[file]?.sha256, wheel?.converted?.[file]?.sha256].filter((hash) => typeof hash === 'string');
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function readPins(): unknown {
  try {
    return JSON.parse(readFileSync(join(repoRoot, 'tools', 'bootstrap', 'pins.json'), 'utf8'));
  } catch {
    return {};
  }
}

async function checkFiles(dir: string, dtype: Dtype): Promise<Finding> {
  const file = WEIGHTS[dtype];
  const path = join(dir, MODEL_NAME, file);
  if (!existsSync(path)) return fail('model files', `${path} does not exist`, FETCH);
  const hash = await sha256(path);
  const says = `${MODEL_NAME} ${dtype}, sha256 ${hash.slice(0, 16)}…`;
  const pins = pinnedHashes(readPins(), file);
  if (pins.includes(hash)) return fine('model files', `${says} (the pinned one)`);
  return warn(
    'model files',
    `${says} is none of the ${pins.length} pinned ones`,
    'If these are not weights that you chose yourself, delete the folder and let npm start fetch them again.',
  );
}

/** Whether the model gives the cosines that it is known for. */
export async function selfTest(model: ManagedEmbedder): Promise<Finding> {
  if (!model.healthy()) return fail('embedder', model.state().reason ?? 'it does not work', FETCH);
  const seen: string[] = [];
  for (const { a, b, cosine } of KNOWN) {
    const got = await cosineOf(model, a, b);
    if (typeof got === 'string' || Math.abs(got - cosine) > TOLERANCE) {
      const shown = typeof got === 'string' ? got : got.toFixed(3);
      return fail(
        'embedder',
        `a known cosine of ${cosine} came out as ${shown}`,
        'The weights are not all-MiniLM-L6-v2 or are damaged: delete the model folder and run npm start.',
      );
    }
    seen.push(got.toFixed(3));
  }
  return fine('embedder', `${model.identity}, known cosines ${seen.join(' and ')}`);
}

/** The model's files and what it computes. */
export async function checkModel(config: AppConfig, io: Io): Promise<Finding[]> {
  const files = await checkFiles(modelDirOf(config, io), config.embedding.dtype);
  if (files.level === 'fail') return [files, fail('embedder', 'not tried without the files', FETCH)];
  const model = await openModel(config, io);
  try {
    return [files, await selfTest(model)];
  } finally {
    await model.close();
  }
}
