/** Where memories are kept: of one run of an agent, of the agent, or (neither given) of all agents of the caller. */
export interface Scope {
  readonly agent?: string;
  readonly run?: string;
}

export interface RememberOptions extends Scope {
  /** Claimed value, ≥ 0; it counts once an independent use has corroborated it. */
  readonly importance?: number;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly ttlMs?: number;
  /** Ids that the new memory replaces. */
  readonly supersedes?: readonly string[];
}

export interface RecallOptions extends Scope {
  /** How many at most; default 3. */
  readonly k?: number;
  /** Also what the agent and the caller know outside of this run. */
  readonly inherit?: boolean;
  readonly minSimilarity?: number;
}

export interface RecalledMemory {
  readonly id: string;
  readonly text: string;
  readonly similarity: number;
  readonly created_ms: number;
  readonly importance: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly agent: string | null;
  readonly run: string | null;
}

/** What one search found; `score` tells the store how it went. */
export interface Recollection {
  readonly requestId: string;
  readonly memories: readonly RecalledMemory[];
  /** The memories that helped (ids), and how well the work went, 0 … 1. */
  score(used: readonly string[], score: number): Promise<number>;
}

/** An answer of the gateway that is not 2xx. */
export class RepriseRequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RepriseRequestError';
  }
}

export interface MemoryClientOptions {
  /** The gateway, e.g. `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds that one call may take; default 10,000. */
  readonly timeoutMs?: number;
}

/** Client of the agents' experience memory (/v1/memory). */
export class MemoryClient {
  constructor(private readonly options: MemoryClientOptions) {}

  async remember(
    text: string,
    options: RememberOptions = {},
  ): Promise<{ id: string; outcome: 'stored' | 'refreshed' }> {
    const { ttlMs, ...rest } = options;
    return this.send('POST', '', { text, ...rest, ...(ttlMs === undefined ? {} : { ttl_ms: ttlMs }) });
  }

  async recall(query: string, options: RecallOptions = {}): Promise<Recollection> {
    const { minSimilarity, ...rest } = options;
    const least = minSimilarity === undefined ? {} : { min_similarity: minSimilarity };
    const found = await this.send<{ request_id: string; memories: RecalledMemory[] }>('POST', '/search', {
      query,
      ...rest,
      ...least,
    });
    return {
      requestId: found.request_id,
      memories: found.memories,
      score: async (used, score) => {
        const body = { request_id: found.request_id, used, score };
        return (await this.send<{ counted: number }>('POST', '/feedback', body)).counted;
      },
    };
  }

  /** False when there was no such memory. */
  async forget(id: string): Promise<boolean> {
    try {
      await this.send('DELETE', `/${encodeURIComponent(id)}`);
      return true;
    } catch (error) {
      if (error instanceof RepriseRequestError && error.status === 404) return false;
      throw error;
    }
  }

  private async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { baseUrl, apiKey, timeoutMs = 10_000 } = this.options;
    const reply = await fetch(`${baseUrl.replace(/\/+$/, '')}/v1/memory${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await reply.json()) as T & { error?: { code: string; message: string } };
    if (!reply.ok)
      throw new RepriseRequestError(reply.status, answer.error?.code ?? '', answer.error?.message ?? reply.statusText);
    return answer;
  }
}
