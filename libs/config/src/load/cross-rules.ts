import type { ParsedConfig } from '../schema/app-config.schema.js';
import { pathText, type ConfigProblem } from './problems.js';

type SourceOf = (path: readonly PropertyKey[]) => string;

/** Rules between keys; each looks only at sections that are valid in themselves. */
export function crossProblems(config: Partial<ParsedConfig>, sourceOf: SourceOf): ConfigProblem[] {
  const at = (path: readonly PropertyKey[], rule: string): ConfigProblem => ({
    path: pathText(path),
    rule,
    source: sourceOf(path),
  });
  return [...budgetProblems(config, at), ...tenantProblems(config, at)];
}

type At = (path: readonly PropertyKey[], rule: string) => ConfigProblem;

function budgetProblems(config: Partial<ParsedConfig>, at: At): ConfigProblem[] {
  const budget = config.limits?.addedLatencyMs;
  if (budget === undefined) return [];
  const rule = 'must be at most limits.addedLatencyMs';
  const over = (ms: number | undefined): boolean => ms !== undefined && ms > budget;
  return [
    ...(over(config.embedding?.timeoutMs) ? [at(['embedding', 'timeoutMs'], rule)] : []),
    ...(over(config.redis?.commandTimeoutMs) ? [at(['redis', 'commandTimeoutMs'], rule)] : []),
  ];
}

function tenantProblems(config: Partial<ParsedConfig>, at: At): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const names = new Set<string>();
  const keys = new Set<string>();
  for (const [i, tenant] of (config.auth?.tenants ?? []).entries()) {
    if (names.has(tenant.name)) problems.push(at(['auth', 'tenants', i, 'name'], 'is the name of another tenant too'));
    names.add(tenant.name);
    for (const [j, key] of tenant.keys.entries()) {
      if (keys.has(key)) problems.push(at(['auth', 'tenants', i, 'keys', j], 'is listed twice'));
      keys.add(key);
    }
  }
  return problems;
}
