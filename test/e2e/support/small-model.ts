import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRng } from '@reprise/kernel';
import { buildBert } from '../../../tools/bootstrap/bert-graph.mjs';
import { repoRoot } from './process.js';

const name = 'Xenova/all-MiniLM-L6-v2';
type Config = Parameters<typeof buildBert>[1];

/**
 * A folder with a model of `size` dimensions that takes the place of the real one: its tokens, one layer, and weights
 * by chance. It knows which words texts share, and nothing of what they mean.
 */
export function makeSmallModel(size: number): string {
  const from = join(process.env['REPRISE_MODEL_DIR'] ?? join(repoRoot, '.cache/model'), name);
  const dir = mkdtempSync(join(tmpdir(), 'reprise-model-'));
  const to = join(dir, name);
  mkdirSync(join(to, 'onnx'), { recursive: true });
  for (const file of ['tokenizer.json', 'tokenizer_config.json']) copyFileSync(join(from, file), join(to, file));
  const config: Config = {
    ...(JSON.parse(readFileSync(join(from, 'config.json'), 'utf8')) as Config),
    hidden_size: size,
    num_attention_heads: 2,
    num_hidden_layers: 1,
    intermediate_size: size,
  };
  writeFileSync(join(to, 'config.json'), JSON.stringify(config));
  const rng = createRng(11);
  const tensor = (at: string, shape: number[]): Float32Array => {
    const values = new Float32Array(shape.reduce((product, one) => product * one, 1));
    if (at.endsWith('LayerNorm.weight')) return values.fill(1);
    if (at.endsWith('bias')) return values;
    const scale = at.startsWith('embeddings.word') ? 1 : 0.02;
    return values.map(() => scale * (rng.next() - 0.5));
  };
  const { parts } = buildBert(tensor, config, 'q8');
  writeFileSync(join(to, 'onnx/model_quantized.onnx'), Buffer.concat(parts));
  return dir;
}
