import type { LiveReport } from '@reprise/semantic-cache';
import { CommandError } from '../io.js';
import { readReport } from '../report/report.command.js';

const LOOK_MS = 5_000;

/** Looks now and then at what the workers have learned in the run's namespace; silent where it may not look. */
export class GateWatch {
  private known: LiveReport | undefined;
  private full: string | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly token: string | undefined,
    private readonly namespace: string,
  ) {}

  start(): void {
    if (this.token !== undefined) this.timer = setInterval(() => void this.look(), LOOK_MS);
  }

  /** One more look, and no further ones. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.look();
  }

  get text(): string {
    return this.known === undefined ? '' : gateText(this.known);
  }

  private async look(): Promise<void> {
    if (this.token === undefined) return;
    try {
      this.full ??= await this.name(this.token);
      if (this.full !== undefined) this.known = await readReport(this.url, this.token, this.full);
    } catch (error) {
      // A look that fails leaves the last one.
      if (!(error instanceof CommandError) && !(error instanceof TypeError)) throw error;
    }
  }

  private async name(token: string): Promise<string | undefined> {
    const reply = await fetch(`${this.url}/admin/api/namespaces`, { headers: { authorization: `Bearer ${token}` } });
    if (!reply.ok) return undefined;
    const { namespaces } = (await reply.json()) as { namespaces: readonly string[] };
    return namespaces.find((name) => name.endsWith(`:${this.namespace}`));
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

/** What has been learned, in two lines. */
export function gateText({ gate, falseHits, budget }: LiveReport): string {
  const { labels, threshold, bound, breakerOpen } = gate;
  const closed = breakerOpen ? 'breaker open: nothing is served by similarity' : 'gate shut: too few labels yet';
  const state =
    breakerOpen || threshold === undefined
      ? closed
      : `gate open: risk up to ${threshold.toFixed(3)}, at most ${percent(bound ?? 1)} of it wrong`;
  const { judged, wrong, share, clopperPearson: range } = falseHits;
  const kept =
    share === undefined
      ? 'no served reuse judged yet'
      : `${judged} served reuses judged, ${wrong} wrong: ${percent(share)} (${percent(range.low)} – ${percent(range.high)})`;
  return `learned from ${labels} labels; ${state}\n${kept}, error budget ${percent(budget)}\n`;
}
