import { RepriseError } from '@reprise/kernel';
import { defaultGate, type PolicyConfig, policyFragments, productPolicy, type StorePolicyName } from '@reprise/policy';

type Json = Readonly<Record<string, unknown>>;

/** The parameters of a namespace that has no policy. */
export const defaultPolicyConfig = (): PolicyConfig => productPolicy('lru', 10_000);

const bad = (text: string): RepriseError => new RepriseError('RP_ERR_BAD_REQUEST', text);

function parse(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad('The policy is not a JSON object.');
  return value as Json;
}

function section(policy: Json, name: string): Json {
  const value = policy[name] ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw bad(`${name} must be an object.`);
  return value as Json;
}

/** Reads a number of a policy: the base value when it is absent. */
function number(part: Json, name: string, base: number, min: number, max: number, whole = false): number {
  const value = part[name];
  if (value === undefined) return base;
  if (typeof value !== 'number' || !(value >= min && value <= max) || (whole && !Number.isInteger(value)))
    throw bad(`${name} must be ${whole ? 'a whole number ' : ''}from ${min} to ${max}.`);
  return value;
}

function oneOf<T extends string>(part: Json, name: string, base: T, names: readonly string[]): T {
  const value = part[name];
  if (value === undefined) return base;
  if (typeof value !== 'string' || !names.includes(value)) throw bad(`${name} must be one of ${names.join(', ')}.`);
  return value as T;
}

/** In a policy 0 is "no bound". */
const bound = (value: number): number => (value === 0 ? Infinity : value);
const unbound = (value: number): number => (value === Infinity ? 0 : value);

/** Policies that a namespace may name: those that Redis has too. */
const names = Object.keys(policyFragments).filter((name) => name !== 'decay-blend' && name !== 'unlimited');

function gateOf(part: Json, base: PolicyConfig['gate']): PolicyConfig['gate'] {
  const gate = readGate(part, base);
  const known = new Map<string, unknown>(Object.entries(base));
  const same = Object.entries(gate).every(([name, value]) => known.get(name) === value);
  // The same object when nothing changes: another one starts the gate anew.
  return same ? base : gate;
}

function readGate(part: Json, base: PolicyConfig['gate']): PolicyConfig['gate'] {
  const defaults = { ...defaultGate, window: 30, tau0: Math.sqrt(5), rate: 0.1, lambda: 0.5, ...base };
  const mode = oneOf(part, 'mode', base.mode, ['fixed', 'adaptive', 'paper-literal']);
  const bootstrap = oneOf(part, 'bootstrap', base.bootstrap, ['fill', 'paper']);
  const floor = number(part, 'floor', defaults.floor, 0, 1000);
  const ceiling = number(part, 'ceiling', defaults.ceiling, 0, 1000);
  const lambda = number(part, 'lambda', defaults.lambda, 0.001, 1000);
  const window = number(part, 'window', defaults.window, 2, 1000, true);
  const tau0 = number(part, 'tau0', defaults.tau0, 0, 1000);
  const rate = number(part, 'rate', defaults.rate, 0, 1);
  if (mode === 'fixed') return { mode, bootstrap, floor, ceiling, lambda };
  if (mode === 'adaptive') return { mode, bootstrap, floor, ceiling, lambda, window };
  return { mode, bootstrap, floor, ceiling, tau0, rate };
}

/** A policy's JSON over parameters; throws RP_ERR_BAD_REQUEST when it is not valid. The twin of `rp.policy_overlay`. */
export function overlayPolicy(base: PolicyConfig, text: string): PolicyConfig {
  const policy = parse(text);
  const shares = section(policy, 'shares');
  const posterior = section(policy, 'posterior');
  const bonus = section(policy, 'bonus');
  const age = base.bonus.kind === 'age' ? base.bonus : { weight: 0.3, scale: 20 };
  const candidates = number(policy, 'evictionCandidates', base.candidates, 0, 256, true);
  if (candidates % 8 !== 0) throw bad('evictionCandidates must be a multiple of 8, at most 256; 0 = 256.');
  const plannedShare = number(shares, 'planned', base.plannedShare, 0, 1);
  const protectedShare = number(shares, 'protected', base.protectedShare, 0, 1);
  if (plannedShare + protectedShare > 1 + 1e-9)
    throw bad('shares.planned and shares.protected must not exceed 1 together.');
  return {
    ...base,
    name: oneOf<StorePolicyName>(policy, 'eviction', base.name, names),
    capacity: number(policy, 'capacity', base.capacity, 1, 1e7, true),
    plannedShare,
    protectedShare,
    gate: gateOf(section(policy, 'gate'), base.gate),
    posterior: {
      priorAlpha: number(posterior, 'priorAlpha', base.posterior.priorAlpha, 1, 1e6),
      priorBeta: number(posterior, 'priorBeta', base.posterior.priorBeta, 1, 1e6),
      cap: bound(number(posterior, 'cap', unbound(base.posterior.cap), 0, 1e9)),
      agingEvery: number(posterior, 'agingEvery', base.posterior.agingEvery, 1, 1e9, true),
      agingAmount: number(posterior, 'agingAmount', base.posterior.agingAmount, 0, 1000),
    },
    bonus: {
      kind: 'age',
      weight: number(bonus, 'weight', age.weight, 0, 1000),
      scale: number(bonus, 'scale', age.scale, 0.001, 1e9),
    },
    candidates: candidates === 0 ? 256 : candidates,
    corroboration: number(policy, 'corroboration', base.corroboration, 1, 1000, true),
    doorkeeperRatio: number(policy, 'doorkeeperRatio', base.doorkeeperRatio, 0, 1024),
  };
}
