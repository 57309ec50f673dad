/** A unit vector as a vector set keeps it with Q8: 8 bits a member, in steps of the largest one's 127th. */
export interface Quantised {
  readonly members: Int8Array;
  /** The largest absolute member. */
  readonly range: number;
}

const known = new WeakMap<Float32Array, Quantised>();

/** Each vector is quantised once; a vector must not change. */
export function quantised(vector: Float32Array): Quantised {
  const held = known.get(vector);
  if (held !== undefined) return held;
  const made = quantise(vector);
  known.set(vector, made);
  return made;
}

/** In single precision and in Redis's order of steps, so that near ties fall the same way. */
function quantise(vector: Float32Array): Quantised {
  const length = lengthOf(vector);
  const members = new Int8Array(vector.length);
  if (length === 0) return { members, range: 0 };
  const unit = vector.map((value) => value / length);
  const range = unit.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = Math.fround(127 / range);
  unit.forEach((value, i) => {
    const scaled = Math.fround(value * scale);
    members[i] = Math.sign(scaled) * Math.floor(Math.abs(scaled) + 0.5);
  });
  return { members, range };
}

/** Four squares a step, as Redis adds them up. */
function lengthOf(vector: Float32Array): number {
  const square = (i: number): number => Math.fround((vector[i] ?? 0) ** 2);
  const whole = vector.length - (vector.length % 4);
  let sum = 0;
  for (let i = 0; i < whole; i += 4) {
    const two = Math.fround(square(i) + square(i + 1));
    sum = Math.fround(sum + Math.fround(Math.fround(two + square(i + 2)) + square(i + 3)));
  }
  for (let i = whole; i < vector.length; i += 1) sum = Math.fround(sum + square(i));
  return Math.fround(Math.sqrt(sum));
}

/** Cosine of two quantised vectors, −1..1, as VSIM reports it. */
export function cosineOf(a: Quantised, b: Quantised): number {
  const { members: left, range: leftRange } = a;
  const { members: right, range: rightRange } = b;
  let sum = 0;
  for (let i = 0; i < left.length; i += 1) sum += (left[i] as number) * (right[i] as number);
  const step = Math.fround(Math.fround(leftRange / 127) * Math.fround(rightRange / 127));
  const distance = Math.fround(1 - Math.fround(sum * step));
  return Math.max(-1, Math.min(1, 1 - distance));
}
