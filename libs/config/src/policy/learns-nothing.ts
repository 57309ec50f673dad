import { judgeModel, type AppConfig } from '../app-config.js';
import { effectivePolicy } from './effective-policy.js';

/** True when somewhere an error budget decides and nobody says which reuses were right: then nothing is ever learned. */
export function learnsNothing(config: AppConfig): boolean {
  if (judgeModel(config) !== undefined) return false;
  return ['', ...config.auth.tenants.map(({ name }) => name)].some(
    (tenant) => effectivePolicy(config, tenant).decision === 'budget',
  );
}
