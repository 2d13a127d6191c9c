/**
 * Every metric of the service, data only. Names and units follow the conventions of Prometheus. Labels have few values
 * that the service itself names: never an id, never a word of a caller.
 */
export type HistogramDefinition = {
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, in the unit of the name. */
  readonly buckets: readonly number[];
};

export type GaugeDefinition = { readonly help: string; readonly labels: readonly string[] };

/** What each process counts of its own work. */
export const COUNTERS = {
  palimpsest_query_vectors_total: {
    help: 'Vectors of query texts, by where they came from: the `cache` or the `embedder`.',
    labels: ['source'],
  },
  palimpsest_kafka_joins_total: {
    help: 'Times that a consumer of this process joined its group, for `events` or `activity`. More than one join is a rebalance.',
    labels: ['consumer'],
  },
  palimpsest_graph_member_reads_total: {
    help: 'Reads in a Neo4j cluster that any member may answer: a `member` did, or the leader, because the member was `behind`, was `unavailable`, was `left_out` after one that did not answer, or the graph has no mark yet (`unmarked`).',
    labels: ['outcome'],
  },
  palimpsest_webhook_attempts_total: {
    help: 'Attempts to send an event to a webhook: `delivered` or `failed`.',
    labels: ['outcome'],
  },
} as const satisfies Readonly<Record<string, GaugeDefinition>>;

/** What each process measures of its own work. */
export const HISTOGRAMS = {
  palimpsest_request_duration_seconds: {
    help: 'Time from the arrival of a request to its reply, of a stream to its beginning. `operation` is `none` for a path without one.',
    labels: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  palimpsest_admission_wait_seconds: {
    help: 'Time that a request waited because others took all the capacity of its kind, `light` or `heavy` ones (the label `room`). A request that begins at once is not counted.',
    labels: ['room'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  palimpsest_recall_stage_duration_seconds: {
    help: 'Time in one stage of a recall. `encode` is part of `retrieve`, `relate` of `rank`.',
    labels: ['stage'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  palimpsest_gateway_request_duration_seconds: {
    help: 'Time of a request in the router of the project, from its arrival to the end of its reply. `api` is `command`, `query`, `gateway` for its own liveness, or `none` for a path that is closed to callers.',
    labels: ['api', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  palimpsest_tool_duration_seconds: {
    help: 'Time of one call of an MCP tool. `outcome` is `ok` or `failed`.',
    labels: ['tool', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  palimpsest_commit_duration_seconds: {
    help: 'Time of the transaction that commits a group of commands in the journal; embedded, in the graph as well.',
    labels: [],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  palimpsest_commit_group_commands: {
    help: 'Commands in one such group. Commands that wait for the database share a transaction.',
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
  },
} as const satisfies Readonly<Record<string, HistogramDefinition>>;

/** What each process can read of itself at a scrape. */
export const PROCESS_GAUGES = {
  palimpsest_encoder_waiting_texts: {
    help: 'Texts that wait for the bundled encoder of this process, for a `query`, a `single` document or a `document` of a batch.',
    labels: ['purpose'],
  },
  palimpsest_postgres_connections: {
    help: 'Connections of the pool of this process to Postgres that are `used` or `idle`.',
    labels: ['state'],
  },
  palimpsest_postgres_waiting_calls: {
    help: 'Calls of this process that wait for a connection to Postgres.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, GaugeDefinition>>;

/** Gauges of the whole service, read at each scrape by one process. A gauge that cannot be read is absent. */
export const GAUGES = {
  palimpsest_journal_up: {
    help: '1 if the other metrics of the journal could be read for this scrape, otherwise 0. A relay on standby reports it only while it is 0.',
    labels: [],
  },
  palimpsest_journal_head_position: { help: 'The last committed position of the journal.', labels: [] },
  palimpsest_journal_bytes: {
    help: 'The size of the journal with its indexes; of the embedded service, of the whole data file.',
    labels: [],
  },
  palimpsest_journal_oldest_seconds: { help: 'The age of the first event of the journal.', labels: [] },
  palimpsest_deleted_subjects: {
    help: 'Memories, associations and entities that were deleted, each of which keeps its id and version. Distributed, an estimate of the last `ANALYZE`, which autovacuum runs.',
    labels: [],
  },
  palimpsest_projector_up: {
    help: '1 if an instance of the projector sends heartbeats, otherwise 0.',
    labels: ['projector'],
  },
  palimpsest_projector_paused: {
    help: '1 if an operator has paused the projector, otherwise 0.',
    labels: ['projector'],
  },
  palimpsest_projector_position: {
    help: 'All events through this position are projected.',
    labels: ['projector'],
  },
  palimpsest_projector_lag_events: {
    help: 'Events after the position of the projector, at most: positions may have gaps.',
    labels: ['projector'],
  },
  palimpsest_projector_lag_seconds: {
    help: 'The age of the first event after the position of the projector.',
    labels: ['projector'],
  },
  palimpsest_dead_letters: { help: 'Events that the projector has put aside as failed.', labels: ['projector'] },
  palimpsest_outbox_events: {
    help: 'Events on their way to the stream: `pending` until the graph has them, `applied` until they are published, `dead` if the graph cannot apply them or the stream refuses them. Counts up to 100,000.',
    labels: ['state'],
  },
  palimpsest_outbox_oldest_seconds: {
    help: 'The age of the oldest event in the outbox that is `waiting` (pending or applied) or `dead`.',
    labels: ['state'],
  },
  palimpsest_embedding_cache_uses: {
    help: 'Pairs of a memory and a cached vector that the last daily pass found: `used`, `unused` until `EMBEDDING_CACHE_RETENTION_DAYS` are over, and those that it `removed`.',
    labels: ['state'],
  },
  palimpsest_webhooks: {
    help: 'Webhooks that are `enabled`, of which some are `failing`; `disabled` by an administrator; `given_up` by the service, because the receiver failed.',
    labels: ['state'],
  },
  palimpsest_webhook_lag_seconds: {
    help: 'The age of the first event after the position of the enabled webhook that is furthest behind.',
    labels: [],
  },
  palimpsest_disk_free_bytes: { help: 'Free bytes where the embedded service keeps its data.', labels: [] },
  palimpsest_disk_size_bytes: {
    help: 'The size of the file system where the embedded service keeps its data.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, GaugeDefinition>>;

export type HistogramName = keyof typeof HISTOGRAMS;
export type CounterName = keyof typeof COUNTERS;
/** The labels of a histogram or counter. */
export type LabelsOf<N extends HistogramName | CounterName> = Readonly<
  Record<(typeof HISTOGRAMS & typeof COUNTERS)[N]['labels'][number], string>
>;
export type GaugeName = keyof typeof GAUGES | keyof typeof PROCESS_GAUGES;
