import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { err, ok, type Result } from '@reprise/kernel';

export type ModelDtype = 'q8' | 'fp32' | 'int8';

export const MODEL_NAME = 'Xenova/all-MiniLM-L6-v2';

const onnxFiles: Readonly<Record<ModelDtype, string>> = {
  q8: 'model_quantized.onnx',
  fp32: 'model.onnx',
  int8: 'model_int8.onnx',
};

const IDENTITY_HEX = 12;
const CHUNK_BYTES = 262_144;

export interface ModelFiles {
  /** Folder that holds the model's folder, absolute, with a slash at the end. */
  readonly root: string;
  readonly identity: string;
  readonly dimensions: number;
}

/** Finds a model's files and what identifies them; the error says which file is missing or unusable. */
export async function findModelFiles(modelDir: string, dtype: ModelDtype): Promise<Result<ModelFiles, string>> {
  const root = resolve(modelDir);
  const folder = join(root, MODEL_NAME);
  for (const file of ['tokenizer.json', 'tokenizer_config.json', 'config.json', `onnx/${onnxFiles[dtype]}`]) {
    const found = await stat(join(folder, file)).catch(() => undefined);
    if (!found?.isFile()) return err(`the embedding model is missing: no ${MODEL_NAME}/${file} in the model folder`);
  }
  const dimensions = await dimensionsOf(join(folder, 'config.json'));
  if (dimensions === undefined) return err(`${MODEL_NAME}/config.json has no hidden_size`);
  const hash = createHash('sha256');
  const weights = createReadStream(join(folder, 'onnx', onnxFiles[dtype]), { highWaterMark: CHUNK_BYTES });
  for await (const chunk of weights) hash.update(chunk as Buffer);
  const name = MODEL_NAME.slice(MODEL_NAME.indexOf('/') + 1);
  return ok({
    root: `${root}/`,
    identity: `${name}@${dtype}:${hash.digest('hex').slice(0, IDENTITY_HEX)}`,
    dimensions,
  });
}

async function dimensionsOf(file: string): Promise<number | undefined> {
  try {
    const config = JSON.parse(await readFile(file, 'utf8')) as { hidden_size?: unknown };
    return Number.isInteger(config.hidden_size) ? (config.hidden_size as number) : undefined;
  } catch {
    return undefined;
  }
}
