/** Thrown by {@link Deadline.within} when the time for the cache is used up. */
export class DeadlineExceeded extends Error {
  constructor() {
    super('the added-latency budget is used up');
    this.name = 'DeadlineExceeded';
  }
}

/**
 * The time that caching may add to one request (`limits.addedLatencyMs`), shared by all its steps.
 * Work that comes late is not cancelled; its result is dropped.
 */
export class Deadline {
  private readonly endsMs: number;

  constructor(
    private readonly clock: { nowMs(): number },
    budgetMs: number,
  ) {
    this.endsMs = clock.nowMs() + budgetMs;
  }

  remainingMs(): number {
    return Math.max(0, this.endsMs - this.clock.nowMs());
  }

  async within<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new DeadlineExceeded()), this.remainingMs());
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      work.catch(() => undefined);
    }
  }
}

/** What is left of the time that caching may add to one request, for steps with other waits between them. */
export class LatencyBudget {
  constructor(
    private readonly clock: { nowMs(): number },
    private leftMs: number,
  ) {}

  /** Waits for `work` as long as anything is left; throws {@link DeadlineExceeded}, and the work goes on by itself. */
  async within<T>(work: Promise<T>): Promise<T> {
    const beganMs = this.clock.nowMs();
    try {
      return await new Deadline(this.clock, this.leftMs).within(work);
    } finally {
      this.leftMs = Math.max(0, this.leftMs - (this.clock.nowMs() - beganMs));
    }
  }
}
