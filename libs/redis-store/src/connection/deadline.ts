/** A call that was not answered in time. */
export class DeadlineError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'DeadlineError';
  }
}

interface Call {
  readonly endsMs: number;
  /** Undefined once the call was answered. */
  giveUp: (() => void) | undefined;
}

/**
 * Calls of one time-out, in the order in which they end. One timer serves all of them: a timer a call costs more than the
 * rest of what a call does here, because each first and last one of a duration makes Node's list of timers anew.
 */
class Calls {
  private waiting: Call[] = [];
  /** Where the waiting ones begin. */
  private first = 0;
  private armed = false;

  constructor(private readonly ms: number) {}

  add(giveUp: () => void): Call {
    this.dropAnswered();
    const call: Call = { endsMs: performance.now() + this.ms, giveUp };
    this.waiting.push(call);
    if (!this.armed) this.arm(this.ms);
    return call;
  }

  private dropAnswered(): void {
    while (this.first < this.waiting.length && !this.waiting[this.first]?.giveUp) this.first += 1;
    if (2 * this.first < this.waiting.length) return;
    this.waiting = this.waiting.slice(this.first);
    this.first = 0;
  }

  private arm(ms: number): void {
    this.armed = true;
    // The socket of an unanswered call keeps the process alive, not this timer.
    setTimeout(() => this.look(), ms).unref();
  }

  private look(): void {
    this.armed = false;
    const nowMs = performance.now();
    this.dropAnswered();
    for (const call of this.waiting.slice(this.first)) {
      if (call.endsMs > nowMs) {
        this.arm(Math.max(1, Math.ceil(call.endsMs - nowMs)));
        break;
      }
      const { giveUp } = call;
      if (giveUp) setImmediate(() => call.giveUp && giveUp());
    }
  }
}

const byTimeout = new Map<number, Calls>();

function callsOf(ms: number): Calls {
  const known = byTimeout.get(ms);
  if (known) return known;
  const calls = new Calls(ms);
  byTimeout.set(ms, calls);
  return calls;
}

/**
 * Rejects with DeadlineError after `ms`. When the event loop itself was late, the answer may already lie in the socket:
 * one turn of the loop reads it before the call is given up.
 */
export function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = callsOf(ms).add(() => reject(new DeadlineError(ms)));
    work.then(
      (value) => {
        call.giveUp = undefined;
        resolve(value);
      },
      (error: unknown) => {
        call.giveUp = undefined;
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
