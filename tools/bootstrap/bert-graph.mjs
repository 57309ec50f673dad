// The encoder of a BERT sentence-embedding model as an ONNX graph (inputs ids, mask, types; output last_hidden_state).
// Pooling and normalising stay with the caller. Layout of weights: torch's, [outputs, inputs].
import { elementType, Graph } from './onnx-writer.mjs';

/** @typedef {(name: string, shape: number[]) => Float32Array} TensorReader */
/**
 * @typedef {object} BertConfig
 * @property {string} model_type
 * @property {string} hidden_act
 * @property {string} [position_embedding_type]
 * @property {number} hidden_size
 * @property {number} num_attention_heads
 * @property {number} num_hidden_layers
 * @property {number} intermediate_size
 * @property {number} vocab_size
 * @property {number} max_position_embeddings
 * @property {number} type_vocab_size
 * @property {number} layer_norm_eps
 */
/** @typedef {'fp32' | 'q8'} Dtype */

/** Largest q8 weight: 7 bits, which cannot overflow the 16-bit sums of x86 CPUs without VNNI. */
const Q8_LIMIT = 63;
/** Largest weight of the word table, which is looked up and never summed. */
const TABLE_LIMIT = 127;

/**
 * Symmetric int8, one scale for each row of `w`.
 * @param {Float32Array} w
 * @param {number} rows
 * @param {number} cols
 * @param {number} limit
 */
function quantise(w, rows, cols, limit) {
  const q = new Int8Array(rows * cols);
  const scale = new Float32Array(rows);
  for (let r = 0; r < rows; r++) {
    let max = 0;
    for (let i = r * cols; i < (r + 1) * cols; i++) max = Math.max(max, Math.abs(w[i] ?? 0));
    const s = max / limit || 1;
    scale[r] = s;
    for (let i = r * cols; i < (r + 1) * cols; i++)
      q[i] = Math.max(-limit, Math.min(limit, Math.round((w[i] ?? 0) / s)));
  }
  return { q, scale };
}

/**
 * @template {Float32Array | Int8Array} T
 * @param {T} w
 * @param {T} out
 * @param {number} rows
 * @param {number} cols
 */
function transpose(w, out, rows, cols) {
  for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) out[c * rows + r] = w[r * cols + c] ?? 0;
  return out;
}

/** @param {Float32Array[]} arrays */
function concat(arrays) {
  const out = new Float32Array(arrays.reduce((sum, a) => sum + a.length, 0));
  let at = 0;
  for (const a of arrays) {
    out.set(a, at);
    at += a.length;
  }
  return out;
}

class Encoder {
  /**
   * @param {TensorReader} tensor
   * @param {BertConfig} config
   * @param {Dtype} dtype
   */
  constructor(tensor, config, dtype) {
    this.tensor = tensor;
    this.config = config;
    this.dtype = dtype;
    this.g = new Graph();
  }

  /** @param {string} x @param {string} name */
  norm(x, name) {
    const { hidden_size: H, layer_norm_eps: epsilon } = this.config;
    const constant = (/** @type {string} */ part) =>
      this.g.constant(`${name}.${part}`, [H], this.tensor(`${name}.${part}`, [H]));
    return this.g.op('LayerNormalization', [x, constant('weight'), constant('bias')], { axis: -1, epsilon });
  }

  /**
   * x · wᵀ + b.
   * @param {string} x
   * @param {string} name
   * @param {Float32Array} w
   * @param {Float32Array} b
   * @param {number} outs
   * @param {number} ins
   */
  linear(x, name, w, b, outs, ins) {
    const { g } = this;
    const product =
      this.dtype === 'q8' ? this.quantisedProduct(x, name, w, outs, ins) : this.product(x, name, w, outs, ins);
    return g.op('Add', [product, g.constant(`${name}.bias`, [outs], b)]);
  }

  /** @param {string} x @param {string} name @param {Float32Array} w @param {number} outs @param {number} ins */
  product(x, name, w, outs, ins) {
    const turned = transpose(w, new Float32Array(w.length), outs, ins);
    return this.g.op('MatMul', [x, this.g.constant(`${name}.weight`, [ins, outs], turned)]);
  }

  /**
   * The node pattern of onnxruntime's quantize_dynamic, which the runtime fuses into one operator.
   * @param {string} x @param {string} name @param {Float32Array} w @param {number} outs @param {number} ins
   */
  quantisedProduct(x, name, w, outs, ins) {
    const { g } = this;
    const { q, scale } = quantise(w, outs, ins, Q8_LIMIT);
    const [xq = '', xScale = '', xZero = ''] = g.split('DynamicQuantizeLinear', [x], {}, 3);
    const weights = g.constant(`${name}.q`, [ins, outs], transpose(q, new Int8Array(q.length), outs, ins));
    const sums = g.op('MatMulInteger', [xq, weights, xZero, g.constant(`${name}.zero`, [outs], new Int8Array(outs))]);
    const cast = g.op('Cast', [sums], { to: elementType.FLOAT });
    return g.op('Mul', [cast, g.op('Mul', [xScale, g.constant(`${name}.scale`, [outs], scale)])]);
  }

  /** @param {string} x @param {string} name @param {number} outs @param {number} ins */
  dense(x, name, outs, ins) {
    return this.linear(
      x,
      name,
      this.tensor(`${name}.weight`, [outs, ins]),
      this.tensor(`${name}.bias`, [outs]),
      outs,
      ins,
    );
  }

  wordVectors() {
    const { g } = this;
    const { vocab_size: V, hidden_size: H } = this.config;
    const words = this.tensor('embeddings.word_embeddings.weight', [V, H]);
    if (this.dtype === 'fp32') return g.op('Gather', [g.constant('words', [V, H], words), 'input_ids']);
    // One scale a token, so that a rare token with large weights costs the others nothing.
    const { q, scale } = quantise(words, V, H, TABLE_LIMIT);
    const row = g.op('Cast', [g.op('Gather', [g.constant('words.q', [V, H], q), 'input_ids'])], {
      to: elementType.FLOAT,
    });
    return g.op('Mul', [row, g.op('Gather', [g.constant('words.scale', [V, 1], scale), 'input_ids'])]);
  }

  embeddings() {
    const { g } = this;
    const { max_position_embeddings: P, type_vocab_size: T, hidden_size: H } = this.config;
    const words = this.wordVectors();
    const length = g.op('Slice', [g.op('Shape', ['input_ids']), g.ints(1), g.ints(2)]);
    const table = g.constant('positions', [P, H], this.tensor('embeddings.position_embeddings.weight', [P, H]));
    const positions = g.op('Slice', [table, g.ints(0), length, g.ints(0)]);
    const kinds = g.constant('types', [T, H], this.tensor('embeddings.token_type_embeddings.weight', [T, H]));
    const types = g.op('Gather', [kinds, 'token_type_ids']);
    return this.norm(g.op('Add', [g.op('Add', [words, types]), positions]), 'embeddings.LayerNorm');
  }

  /** 0 where a token counts, −10000 where it is padding; [batch, 1, 1, length]. */
  mask() {
    const { g } = this;
    const on = g.op('Cast', [g.op('Unsqueeze', ['attention_mask', g.ints(1, 2)])], { to: elementType.FLOAT });
    return g.op('Mul', [g.op('Sub', [g.scalar(1), on]), g.scalar(-10_000)]);
  }

  /** @param {string} x @param {string} at @param {string} mask */
  attention(x, at, mask) {
    const { g } = this;
    const { hidden_size: H, num_attention_heads: A } = this.config;
    const D = H / A;
    // Query, key and value in one product; the 1/√D of the scores goes into the query's weights.
    const part = (/** @type {string} */ kind, /** @type {number[]} */ shape) =>
      ['query', 'key', 'value']
        .map((n) => this.tensor(`${at}attention.self.${n}.${kind}`, shape))
        .map((a, i) => (i ? a : a.map((v) => v / Math.sqrt(D))));
    const qkv = this.linear(x, `${at}qkv`, concat(part('weight', [H, H])), concat(part('bias', [H])), 3 * H, H);
    const [q = '', k = '', v = ''] = g.split('Split', [qkv, g.ints(H, H, H)], { axis: 2 }, 3);
    const heads = (/** @type {string} */ t, /** @type {number[]} */ perm) =>
      g.op('Transpose', [g.op('Reshape', [t, g.ints(0, 0, A, D)])], { perm });
    const scores = g.op('Add', [g.op('MatMul', [heads(q, [0, 2, 1, 3]), heads(k, [0, 2, 3, 1])]), mask]);
    const mixed = g.op('MatMul', [g.op('Softmax', [scores], { axis: -1 }), heads(v, [0, 2, 1, 3])]);
    const joined = g.op('Reshape', [g.op('Transpose', [mixed], { perm: [0, 2, 1, 3] }), g.ints(0, 0, H)]);
    const out = this.dense(joined, `${at}attention.output.dense`, H, H);
    return this.norm(g.op('Add', [out, x]), `${at}attention.output.LayerNorm`);
  }

  /** @param {string} x @param {string} at */
  feedForward(x, at) {
    const { g } = this;
    const { hidden_size: H, intermediate_size: F } = this.config;
    const h = this.dense(x, `${at}intermediate.dense`, F, H);
    const erf = g.op('Add', [g.op('Erf', [g.op('Div', [h, g.scalar(Math.SQRT2)])]), g.scalar(1)]);
    const gelu = g.op('Mul', [g.op('Mul', [h, erf]), g.scalar(0.5)]);
    return this.norm(g.op('Add', [this.dense(gelu, `${at}output.dense`, H, F), x]), `${at}output.LayerNorm`);
  }

  build() {
    let x = this.embeddings();
    const mask = this.mask();
    for (let layer = 0; layer < this.config.num_hidden_layers; layer++) {
      const at = `encoder.layer.${layer}.`;
      x = this.feedForward(this.attention(x, at, mask), at);
    }
    this.g.rename(x, 'last_hidden_state');
    /** @type {(name: string) => [string, number, string[]]} */
    const ids = (name) => [name, elementType.INT64, ['batch', 'length']];
    const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map(ids);
    return this.g.model(inputs, [
      ['last_hidden_state', elementType.FLOAT, ['batch', 'length', this.config.hidden_size]],
    ]);
  }
}

/**
 * The model's ONNX file as a message.
 * @param {TensorReader} tensor
 * @param {BertConfig} config
 * @param {Dtype} dtype fp32, or q8: int8 weights, products with dynamic uint8 activations
 * @throws {Error} when the model is of another kind
 */
export function buildBert(tensor, config, dtype) {
  if (config.model_type !== 'bert') throw new Error(`model_type ${config.model_type}, want bert`);
  if (config.hidden_act !== 'gelu') throw new Error(`hidden_act ${config.hidden_act}, want gelu`);
  if ((config.position_embedding_type ?? 'absolute') !== 'absolute') throw new Error('want absolute positions');
  return new Encoder(tensor, config, dtype).build();
}
