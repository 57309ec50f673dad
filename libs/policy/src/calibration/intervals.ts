/** A two-sided interval of a share, 0..1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const Z_95 = 1.959963984540054;
const BISECTIONS = 80;
const MOST_TERMS = 10_000;
const ENOUGH = 1e-15;
const TINY = 1e-300;

/** Wilson's score interval of `events` in `trials`; 0..1 without trials. */
export function wilson(events: number, trials: number, z = Z_95): Interval {
  if (trials <= 0) return { low: 0, high: 1 };
  const share = events / trials;
  const scale = 1 + (z * z) / trials;
  const centre = (share + (z * z) / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  return { low: events === 0 ? 0 : centre - half, high: events === trials ? 1 : centre + half };
}

/** One-sided upper Clopper–Pearson bound: the share at which so few events have probability `delta`. */
export function clopperPearsonUpper(events: number, trials: number, delta = 0.05): number {
  if (events >= trials) return 1;
  return quantile((p) => binomialAtMost(events, trials, p) > delta);
}

/** One-sided lower Clopper–Pearson bound: the share at which so many events have probability `delta`. */
export function clopperPearsonLower(events: number, trials: number, delta = 0.05): number {
  return events <= 0 ? 0 : 1 - clopperPearsonUpper(trials - events, trials, delta);
}

/** Two-sided Clopper–Pearson interval of coverage 1 − delta. */
export function clopperPearson(events: number, trials: number, delta = 0.05): Interval {
  return {
    low: clopperPearsonLower(events, trials, delta / 2),
    high: clopperPearsonUpper(events, trials, delta / 2),
  };
}

/** P(at most `events` of `trials`) at the share p; the counts may be fractions (effective sample sizes). */
export function binomialAtMost(events: number, trials: number, p: number): number {
  if (events >= trials) return 1;
  return regularisedBeta(1 - p, trials - events, events + 1);
}

/** The largest p, to the last bit but few, for which the falling condition still holds. */
function quantile(holds: (p: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b), by Lentz's continued fraction (Numerical Recipes §6.4). */
function regularisedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let product = d;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    product *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    product *= d * c;
    if (Math.abs(d * c - 1) < ENOUGH) break;
  }
  return product;
}

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
const LANCZOS_SHIFT = 7;

/** ln Γ(x) for x > 0 (Lanczos, g = 7). */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const y = x - 1;
  let sum = lanczos[0]!;
  for (let i = 1; i < lanczos.length; i++) sum += lanczos[i]! / (y + i);
  const t = y + LANCZOS_SHIFT + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}
