import { embedTexts, keptVectorsOf } from '../embeddings/kept-vectors.js';
import { qaTexts } from '../experience/qa-data.js';
import type { ChatModel } from '../llm/chat-model.js';
import { loadMtData, textsOf } from '../multi-turn/mt-data.js';
import type { Embedder } from '@reprise/semantic-cache';
import type { Progress } from '../sweep/progress.js';
import type { SharedTask } from '../sweep/tasks.js';
import { mtKey, mtSeed } from './mt-task.js';
import type { SharedCell } from './paper.types.js';
import { llmKey } from './solar-llm-task.js';

export interface SharedOptions {
  readonly root: string;
  readonly embedder: Embedder;
  readonly cacheDir: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly model?: ChatModel;
  /** Share of the conversations of a multi-turn set; 1 but in tests. */
  readonly share: number;
}

/** Name of the task that measures a number. */
export const sharedName = (cell: SharedCell): string =>
  cell.kind === 'mt' ? `mt ${cell.set} ${cell.method} ${cell.phase}` : `llm ${cell.set} ${cell.retrieval}`;

/** Under which name its task gives a number out. */
export const sharedKey = (cell: SharedCell): string => (cell.kind === 'mt' ? mtKey(cell) : llmKey(cell));

/** The tasks of some numbers, by name, after all their texts have vectors. */
export async function sharedTasks(
  cells: readonly SharedCell[],
  options: SharedOptions,
): Promise<Map<string, SharedTask>> {
  const { root, embedder, cacheDir, signal, progress, model, share } = options;
  const texts = new Set<string>();
  for (const set of new Set(cells.map(({ kind, set: name }) => `${kind} ${name}`)))
    for (const text of textsOfSet(set, root, share)) texts.add(text);
  if (texts.size > 0) await embedTexts(texts, { embedder, cacheDir, signal, progress });
  const vectors = keptVectorsOf(embedder, cacheDir);
  return new Map(
    cells.map((cell): [string, SharedTask] => {
      const base = { root, vectors };
      if (cell.kind === 'mt') {
        const { set, method, phase } = cell;
        return [sharedName(cell), { kind: 'mt', set, method, phase, share, ...base }];
      }
      const { set, retrieval } = cell;
      const most = share < 1 ? { most: 1 } : {};
      return [
        sharedName(cell),
        { kind: 'llm', set, retrieval, ...base, ...most, ...(model === undefined ? {} : { model }) },
      ];
    }),
  );
}

function textsOfSet(name: string, root: string, share: number): Set<string> {
  const [kind, set] = name.split(' ') as ['mt' | 'llm', never];
  return kind === 'mt' ? textsOf(loadMtData(root, set, mtSeed, share)) : qaTexts(root, set, share < 1 ? 1 : Infinity);
}
