// Progress without a library: one redrawn line on a terminal, one line per tenth anywhere else.

/**
 * @typedef {object} Task
 * @property {(done: number, total?: number) => void} update
 * @property {(text?: string) => void} end
 */
/**
 * @typedef {object} Board
 * @property {(text: string) => void} say prints a line above the bars
 * @property {(label: string, options?: { unit?: 'bytes' | 'steps' }) => Task} task
 */

/**
 * Bytes for a person, in powers of ten as download pages count.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * A bar of `width` cells.
 * @param {number} share 0 to 1
 * @param {number} width
 */
export function bar(share, width) {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]`;
}

/** @typedef {{ label: string, done: number, total: number, unit: 'bytes' | 'steps', tenth: number }} State */

/** @param {State} task */
function amount({ done, total, unit }) {
  const show = unit === 'bytes' ? formatBytes : String;
  return total > 0 ? `${Math.floor((100 * done) / total)} % of ${show(total)}` : show(done);
}

/** All running tasks in one line. @param {State[]} tasks */
function barLine(tasks) {
  const width = tasks.length > 1 ? 8 : 24;
  const one = (/** @type {State} */ task) => {
    const drawing = task.total > 0 ? `${bar(task.done / task.total, width)} ` : '';
    return `${task.label} ${drawing}${amount(task)}`;
  };
  return tasks.map(one).join('  ');
}

/**
 * Where a person sees what goes on: sentences, and a bar for each running task.
 * @param {{ stream?: { write: (text: string) => unknown, isTTY?: boolean, columns?: number }, now?: () => number }} [options]
 * @returns {Board}
 */
export function createBoard({ stream = process.stderr, now = Date.now } = {}) {
  const terminal = Boolean(stream.isTTY) && process.env['TERM'] !== 'dumb';
  /** @type {Set<State>} */
  const running = new Set();
  let drawn = false;
  let lastMs = 0;

  const clear = () => {
    if (drawn) stream.write('\r\x1b[2K');
    drawn = false;
  };
  const draw = () => {
    if (!terminal || running.size === 0) return;
    stream.write(`\r\x1b[2K${barLine([...running]).slice(0, (stream.columns ?? 80) - 1)}`);
    drawn = true;
  };
  /** @param {string} text */
  const say = (text) => {
    clear();
    stream.write(`${text}\n`);
    draw();
  };
  /** @param {State} task */
  const changed = (task) => {
    if (terminal) {
      if (now() - lastMs < 100) return;
      lastMs = now();
      draw();
      return;
    }
    const tenth = task.total > 0 ? Math.floor((10 * task.done) / task.total) : 0;
    if (tenth > task.tenth) {
      task.tenth = tenth;
      say(`${task.label}: ${amount(task)}`);
    }
  };
  /** @type {Board['task']} */
  const start = (label, { unit = 'bytes' } = {}) => {
    /** @type {State} */
    const task = { label, done: 0, total: 0, unit, tenth: 0 };
    running.add(task);
    return {
      update(done, total = task.total) {
        task.done = total > 0 ? Math.min(done, total) : done;
        task.total = total;
        changed(task);
      },
      end(text) {
        running.delete(task);
        if (text) say(text);
        else {
          clear();
          draw();
        }
      },
    };
  };
  return { say, task: start };
}
