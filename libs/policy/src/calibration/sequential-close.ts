/**
 * The test that closes the cold-start rule: a betting e-process against "at most `budget` of its hits are wrong".
 *
 * Valid at every look (Ville): a rule that keeps the budget is closed with probability at most `delta`.
 * Two bets share the stake, a small one and a bold one: the bold one wins quickly where every third hit is wrong.
 */
export class SequentialClose {
  private readonly wealth: number[];
  private shut = false;

  constructor(
    private readonly budget: number,
    private readonly delta = 0.05,
    private readonly bets: readonly number[] = [2, 6],
  ) {
    this.wealth = bets.map(() => 1 / bets.length);
    if (bets.some((bet) => bet * budget >= 1)) throw new RangeError('A bet would lose more than its stake.');
  }

  get closed(): boolean {
    return this.shut;
  }

  /** One judged hit; returns whether the rule is closed now. It never opens again by itself. */
  add(rejected: 0 | 1): boolean {
    let sum = 0;
    this.bets.forEach((bet, i) => {
      this.wealth[i] = this.wealth[i]! * (1 + bet * (rejected - this.budget));
      sum += this.wealth[i]!;
    });
    if (sum >= 1 / this.delta) this.shut = true;
    return this.shut;
  }
}
