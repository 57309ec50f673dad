import { type AppConfig, judgeModel, learnsNothing } from '@reprise/config';
import { type Finding, fine, warn } from './finding.js';

const NAME = 'judge';

/** Whether anybody says if reuses were right: without that the budget mode learns nothing. */
export function checkJudge(config: AppConfig): Finding {
  const model = judgeModel(config);
  if (model !== undefined) return fine(NAME, `${model} judges reuses`);
  if (!learnsNothing(config)) return fine(NAME, 'none, and no tenant decides by an error budget');
  return warn(
    NAME,
    'none: nothing is learned, so that only the guard rule serves, and only first messages',
    'Set judge.model (and judge.baseUrl or judge.apiKey where it is not the upstream’s); it costs at most judge.maxSpendUsd a namespace and a share of what is saved. Or choose cache.decision: strict-similarity, if this is what you want.',
  );
}
