/** What one metric is; `labels` gives each label's meaning, or its values where they are a closed list. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: Readonly<Record<string, string | readonly string[]>>;
  /** Upper bounds in seconds; histograms only. */
  readonly buckets?: readonly number[];
}

const counter = (help: string, labels: MetricDefinition['labels'] = {}): MetricDefinition => ({
  type: 'counter',
  help,
  labels,
});
const gauge = (help: string, labels: MetricDefinition['labels'] = {}): MetricDefinition => ({
  type: 'gauge',
  help,
  labels,
});
const seconds = (
  help: string,
  buckets: readonly number[],
  labels: MetricDefinition['labels'] = {},
): MetricDefinition => ({ type: 'histogram', help, labels, buckets });

const FAST = [0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 1];
const SLOW = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Values of x-cache. */
export const cacheOutcomes = ['hit-exact', 'hit-semantic', 'coalesced', 'miss', 'bypass'] as const;

/** What the product does when a part of it fails; each is a named way to go on, never an error to the caller. */
export const degradedModes = [
  'cache-unavailable',
  'embedder-unavailable',
  'embedder-busy',
  'embedder-timeout',
  'admission-failed',
  'conversation-unavailable',
  'decision-log-unavailable',
  'flight-unavailable',
  'queue-unavailable',
  'catalog-unavailable',
  'access-unavailable',
  'vector-cache-unavailable',
  'deadline',
  'decision-late',
  'label-unavailable',
  'snapshot-unavailable',
] as const;

/** The one metric table; docs/reference/metrics.md is generated from it. */
export const metricTable = {
  reprise_requests_total: counter('Answers to callers by what the cache did, and why.', {
    route: 'path of the API',
    cache: cacheOutcomes,
    reason: 'x-cache-reason',
  }),
  reprise_request_seconds: seconds('Whole time of a request.', SLOW, { cache: cacheOutcomes }),
  reprise_first_byte_seconds: seconds('Time to the first byte of the answer.', SLOW, { cache: cacheOutcomes }),
  reprise_added_latency_seconds: seconds(
    'Time that caching added before the upstream was asked or a hit was sent.',
    FAST,
    {
      cache: cacheOutcomes,
    },
  ),
  reprise_http_responses_total: counter('HTTP answers.', { route: 'path of the API', status: 'HTTP status' }),
  reprise_requests_in_flight: gauge('Requests that are open now.'),
  reprise_errors_total: counter('Errors given to callers.', { code: 'RP_ERR_… code' }),
  reprise_client_aborts_total: counter('Callers that went away before their answer was complete.'),
  reprise_degraded_total: counter('Times that a part failed and the request went on without it.', {
    mode: degradedModes,
  }),
  reprise_semantic_skipped_total: counter('Requests that the semantic tier did not look at.', {
    reason: 'too-long, empty, too-many-messages, temperature, …',
  }),
  reprise_guard_refusals_total: counter('Nearest candidates that were not served, by the first check that refused.', {
    guard: 'reason word of the guard rule',
  }),
  reprise_candidates_total: counter('Candidates that lookups returned.'),
  reprise_shadow_total: counter('Shadow decisions.', { decision: ['would-serve', 'would-miss'] }),
  reprise_volatile_spans_total: counter('System prompts with a span that changes with every request.', {
    kind: 'clock, uuid, request-id, …',
  }),
  reprise_upstream_requests_total: counter('Calls to the upstream.', {
    status: 'HTTP status, or the RP_ERR_UPSTREAM_… code',
  }),
  reprise_upstream_seconds: seconds('Time until the upstream answered with headers.', SLOW),
  reprise_upstream_first_byte_seconds: seconds("Time to the first byte of the upstream's body.", SLOW),
  reprise_upstream_retries_total: counter('Second tries, made only where the request was not sent.'),
  reprise_embed_total: counter('Texts given to the embedder.', {
    outcome: ['ok', 'too-long', 'empty', 'busy', 'timeout', 'unavailable'],
  }),
  reprise_embed_seconds: seconds(
    'Time from the call to the vector, waiting included; vectors found in process are not counted.',
    FAST,
  ),
  reprise_embed_cache_total: counter('Look-ups in the vectors kept in process.', { result: ['hit', 'miss', 'joined'] }),
  reprise_embed_shared_cache_total: counter('Look-ups in the vectors kept in Redis.', {
    result: ['hit', 'miss', 'error'],
  }),
  reprise_embed_cache_entries: gauge('Vectors kept in process.'),
  reprise_embed_cache_bytes: gauge('Bytes of the vectors kept in process.'),
  reprise_embed_queue: gauge('Texts that wait for a worker thread or are in one.'),
  reprise_embed_workers: gauge('Worker threads of the embedder that are ready.'),
  reprise_embed_restarts_total: counter('Worker threads that were replaced.', { cause: ['hung', 'crashed'] }),
  reprise_store_seconds: seconds('Time of one command to Redis.', FAST, { command: 'exact, lookup, serve, admit, …' }),
  reprise_store_total: counter('Commands to Redis.', {
    command: 'exact, lookup, serve, admit, …',
    outcome: 'reply of the command, or error, timeout, reloaded',
  }),
  reprise_store_down_total: counter('Times that a Redis server began to count as down.', {
    server: 'name of the connection',
  }),
  reprise_admissions_total: counter('Answers offered to the store.', {
    outcome: ['stored', 'refreshed', 'duplicate', 'rejected', 'paused', 'failed'],
    reason: 'why it was not stored',
  }),
  reprise_not_storable_total: counter('Complete answers that are never stored.', {
    reason: 'status, truncated, refusal, filtered, empty, error-body, too-large, …',
  }),
  reprise_evictions_total: counter('Entries that left a full namespace.', {
    tier: ['planned', 'protected', 'recency'],
  }),
  reprise_usage_refused_total: counter(
    'Streams whose request was sent again because the upstream refused to be asked for usage.',
  ),
  reprise_flights_total: counter('Single-flight: what requests became.', {
    role: ['leader', 'follower', 'done', 'abandoned', 'waited-out', 'lease-lost'],
  }),
  reprise_saved_tokens_total: counter('Tokens that were not asked of the upstream.', {
    kind: ['prompt', 'completion'],
  }),
  reprise_saved_micro_usd_total: counter('Money not spent upstream, in millionths of a US dollar.'),
  reprise_feedback_total: counter('Feedback on answers.', { verdict: ['right', 'wrong'] }),
  reprise_purged_entries_total: counter('Entries removed by purges.'),
  reprise_quarantined_total: counter('Entries taken out of service.'),
  reprise_jobs_total: counter('Jobs.', {
    queue: 'name of the queue',
    job: 'name of the job',
    outcome: ['done', 'retried', 'dead', 'produced', 'not-produced'],
  }),
  reprise_job_seconds: seconds('Time of one job.', SLOW, { queue: 'name of the queue' }),
  reprise_dead_letters: gauge('Failed jobs that wait for an operator.', { queue: 'name of the queue' }),
  reprise_judgements_total: counter('Reuses that were given to the judges, by what became of them.', {
    judge: 'equivalence, llm, human, reference; none when no judge said anything',
    outcome: ['accepted', 'rejected', 'missing'],
  }),
  reprise_conversation_closes_total: counter(
    'Closes of conversations: of idle ones by what was found, or at the word of a caller.',
    {
      outcome: ['closed', 'unknown', 'busy', 'covered', 'ended'],
    },
  ),
  reprise_swept_total: counter('Members that sweeps looked at or removed.', { what: ['scanned', 'removed'] }),
  reprise_ghost_loss: gauge('Mean loss in the window of comparison, over the namespaces of the last run with events.', {
    policy: 'name of the policy; live is what the cache itself lost',
  }),
  reprise_policy_switches_total: counter('Hand-overs of the recency tier by the ghost policies.', {
    from: 'name of the policy',
    to: 'name of the policy',
  }),
  reprise_recomputes_total: counter('Choices of a planned tier by the worker.', {
    trigger: ['first', 'representatives', 'arrivals', 'information'],
    outcome: ['installed', 'conflict'],
  }),
  reprise_up: gauge('1 while a part works, 0 while it does not.', {
    part: ['redis', 'embedder', 'upstream', 'queues'],
  }),
  reprise_build_info: gauge('1; the labels say what runs.', { version: 'version of Reprise', node: 'version of Node' }),
  reprise_unknown_metrics_total: counter('Uses of a name or label that this table does not have: a defect.', {
    name: 'the name',
  }),
} as const satisfies Readonly<Record<`reprise_${string}`, MetricDefinition>>;

export type MetricName = keyof typeof metricTable;

export const isMetricName = (name: string): name is MetricName => Object.hasOwn(metricTable, name);
