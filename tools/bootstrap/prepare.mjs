// What tests and benchmarks need: dependencies, a Redis of their own, the model, the build, and the environment that names them.
import { BootstrapError } from './context.mjs';
import { ensureBuild, ensureDependencies } from './install.mjs';
import { findModel } from './model.mjs';
import { findRedis, startRedis } from './redis.mjs';

/** @typedef {import('./context.mjs').Context} Context */

/**
 * A Redis that tests may fill and kill: never REDIS_URL, where somebody's data is. A binary is preferred over docker,
 * since fault and cluster tests start servers of their own.
 * @param {Context} context
 */
async function findTestRedis(context) {
  try {
    return await findRedis(context, { ways: ['path', 'wheels', 'debian'] });
  } catch (error) {
    context.signal.throwIfAborted();
    try {
      return await findRedis(context, { ways: ['docker'] });
    } catch {
      throw error;
    }
  }
}

/**
 * Sets up; gives the environment (TEST_REDIS_URL, TEST_REDIS_BIN, TEST_REDIS_MODULES separated by colons,
 * REPRISE_MODEL_DIR) and what stops the Redis that was started.
 * @param {Context} context
 * @param {{ dir: string, dtypes: import('./convert-minilm.mjs').Dtype[], settings: Record<string, string> }} options
 */
export async function prepareForTests(context, { dir, dtypes, settings }) {
  await ensureDependencies(context);
  const [found, model] = await Promise.all([findTestRedis(context), findModel(context, { dtypes })]);
  if (!model.dir)
    throw new BootstrapError(`The tests need the embedding model, and it cannot be had: ${model.reasons.join(' ')}`);
  await ensureBuild(context);
  const redis = await startRedis({ context, found, dir, port: 0, settings });
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...context.env,
    TEST_REDIS_URL: redis.url,
    TEST_REDIS_BIN: found.binary ?? '',
    TEST_REDIS_MODULES: found.modules.join(':'),
    REPRISE_MODEL_DIR: model.dir,
  };
  delete env['REDIS_URL'];
  context.board.say(`Redis ${found.version} (${found.way}) at ${redis.url}; model from the ${model.way}.`);
  return { env, stop: () => redis.stop() };
}
