// Writes ONNX files by hand: the protobuf wire format and the nine message types of onnx.proto that a graph needs.
// A message is { length, parts }, so that big tensors are never copied.
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';

/** @typedef {{ length: number, parts: Buffer[] }} Message */
/** @typedef {Float32Array | Uint8Array | Int8Array | BigInt64Array} Tensor */

/** @param {number | bigint} value */
function varint(value) {
  const out = [];
  let x = BigInt.asUintN(64, BigInt(value));
  do {
    out.push(Number(x & 127n) | (x > 127n ? 128 : 0));
    x >>= 7n;
  } while (x);
  return Buffer.from(out);
}

/** @param {...(Message | Buffer | Message[])} fields @returns {Message} */
function message(...fields) {
  const parts = fields.flat().flatMap((field) => (Buffer.isBuffer(field) ? [field] : field.parts));
  return { parts, length: parts.reduce((sum, b) => sum + b.length, 0) };
}

/** @param {number} field @param {number} value */
const int = (field, value) => message(varint(field << 3), varint(value));
/** @param {number} field @param {Message} inner */
const nested = (field, inner) => message(varint((field << 3) | 2), varint(inner.length), inner);
/** @param {number} field @param {Buffer | string} data */
const bytes = (field, data) => nested(field, message(Buffer.isBuffer(data) ? data : Buffer.from(data)));
/** @param {number} field @param {number} value */
function float(field, value) {
  const b = Buffer.alloc(4);
  b.writeFloatLE(value);
  return message(varint((field << 3) | 5), b);
}

/** Element types of onnx.proto. */
export const elementType = { FLOAT: 1, UINT8: 2, INT8: 3, INT64: 7 };

/** @param {Tensor} data */
function typeOf(data) {
  if (data instanceof Float32Array) return elementType.FLOAT;
  if (data instanceof Uint8Array) return elementType.UINT8;
  if (data instanceof Int8Array) return elementType.INT8;
  return elementType.INT64;
}

/** @param {[string, number | number[]]} attribute */
function attributeMessage([name, value]) {
  const FLOAT = 1;
  const INT = 2;
  const INTS = 7;
  if (Array.isArray(value))
    return nested(
      5,
      message(
        bytes(1, name),
        value.map((v) => int(8, v)),
        int(20, INTS),
      ),
    );
  if (name === 'epsilon') return nested(5, message(bytes(1, name), float(2, value), int(20, FLOAT)));
  return nested(5, message(bytes(1, name), int(3, value), int(20, INT)));
}

/** A graph under construction (opset 17). */
export class Graph {
  /** @type {Message[]} */ #nodes = [];
  /** @type {Message[]} */ #constants = [];
  /** @type {Set<string>} */ #seen = new Set();
  #count = 0;

  /** Adds a constant once, gives its name. @param {string} name @param {number[]} dims @param {Tensor} data */
  constant(name, dims, data) {
    if (!this.#seen.has(name)) {
      this.#seen.add(name);
      const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      this.#constants.push(
        nested(
          5,
          message(
            dims.map((d) => int(1, d)),
            int(2, typeOf(data)),
            bytes(8, name),
            bytes(9, raw),
          ),
        ),
      );
    }
    return name;
  }

  /** @param {number} value */
  scalar(value) {
    return this.constant(`f_${value}`, [], Float32Array.of(value));
  }

  /** @param {...number} values */
  ints(...values) {
    return this.constant(`i_${values.join('_')}`, [values.length], BigInt64Array.from(values, BigInt));
  }

  /**
   * Adds a node with several outputs, gives their names.
   * @param {string} type
   * @param {string[]} inputs
   * @param {Record<string, number | number[]>} attributes
   * @param {number} outputs
   * @param {string} [domain]
   */
  split(type, inputs, attributes, outputs, domain = '') {
    const name = `${type}_${this.#count++}`;
    const out = Array.from({ length: outputs }, (_, i) => (outputs > 1 ? `${name}.${i}` : name));
    const head = [
      ...inputs.map((i) => bytes(1, i)),
      ...out.map((o) => bytes(2, o)),
      bytes(3, name),
      bytes(4, type),
      bytes(7, domain),
    ];
    this.#nodes.push(nested(1, message(head, Object.entries(attributes).map(attributeMessage))));
    return out;
  }

  /**
   * Adds a node with one output, gives its name.
   * @param {string} type
   * @param {string[]} inputs
   * @param {Record<string, number | number[]>} [attributes]
   * @param {string} [domain]
   */
  op(type, inputs, attributes = {}, domain = '') {
    return this.split(type, inputs, attributes, 1, domain)[0] ?? '';
  }

  /** Gives a value another name. @param {string} value @param {string} name */
  rename(value, name) {
    this.#nodes.push(nested(1, message(bytes(1, value), bytes(2, name), bytes(4, 'Identity'))));
  }

  /**
   * The whole model.
   * @param {[name: string, type: number, dims: (string | number)[]][]} inputs
   * @param {[name: string, type: number, dims: (string | number)[]][]} outputs
   * @returns {Message}
   */
  model(inputs, outputs) {
    const dim = (/** @type {string | number} */ d) => nested(1, typeof d === 'string' ? bytes(2, d) : int(1, d));
    const value = (
      /** @type {number} */ field,
      /** @type {[string, number, (string | number)[]]} */ [name, type, dims],
    ) => {
      const shape = nested(2, message(dims.map(dim)));
      return nested(field, message(bytes(1, name), nested(2, message(nested(1, message(int(1, type), shape))))));
    };
    const ends = [...inputs.map((i) => value(11, i)), ...outputs.map((o) => value(12, o))];
    const graph = message(this.#nodes, bytes(2, 'bert'), this.#constants, ends);
    const opsets = [
      nested(8, message(bytes(1, ''), int(2, 17))),
      nested(8, message(bytes(1, 'com.microsoft'), int(2, 1))),
    ];
    return message(int(1, 8), bytes(2, 'convert-minilm'), nested(7, graph), opsets);
  }
}

/** @param {number} fd @param {Buffer} b */
function writeAll(fd, b) {
  for (let at = 0; at < b.length;) at += writeSync(fd, b, at);
}

/**
 * Writes a message; the file appears whole or not at all.
 * @param {string} file
 * @param {Message} content
 */
export function writeMessage(file, { parts }) {
  const fd = openSync(`${file}.part`, 'w');
  try {
    /** @type {Buffer[]} */
    let small = [];
    for (const part of parts) {
      if (part.length < 65_536) {
        small.push(part);
        continue;
      }
      writeAll(fd, Buffer.concat(small));
      small = [];
      writeAll(fd, part);
    }
    writeAll(fd, Buffer.concat(small));
  } finally {
    closeSync(fd);
  }
  renameSync(`${file}.part`, file);
}
