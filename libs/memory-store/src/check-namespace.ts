import { findPolicyFaults } from '@reprise/policy';
import type { NamespaceState } from './namespace-state.js';

/** Every broken invariant of a namespace, in words; the twin of the function `check`. */
export function checkNamespace(space: NamespaceState, nowMs: number): string[] {
  const problems = [...findPolicyFaults(space.policies)];
  for (const id of space.policies.ids()) if (!space.entries.has(id)) problems.push(`entry ${id} has no answer`);
  for (const entry of space.entries.values()) {
    if (!space.policies.has(entry.id)) problems.push(`answer ${entry.id} is no entry`);
    const vector = space.strata.get(entry.stratum)?.has(entry.id) === true;
    if (vector !== (entry.stratum !== '')) problems.push(`entry ${entry.id}: vector and stratum disagree`);
    for (const key of entry.exactKeys) {
      const leads = space.exact.get(key) === entry.id || entry.exactUntilMs <= nowMs;
      if (!leads) problems.push(`exact key ${key} does not lead to ${entry.id}`);
    }
  }
  for (const [key, id] of space.exact) if (!space.entries.has(id)) problems.push(`exact key ${key} leads nowhere`);
  for (const [stratum, members] of space.strata) {
    for (const id of members.keys()) {
      if (space.entries.get(id)?.stratum !== stratum) problems.push(`vector ${id} of stratum ${stratum} is no entry`);
    }
  }
  return problems;
}
