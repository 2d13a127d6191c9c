/** The tag and the description of each public operation in the OpenAPI document. */
import type { OPERATIONS } from '../../contract/operations.js';

export const TAGS = {
  Memories: 'Store, read, change and delete memories.',
  Associations: 'Directed, typed, weighted links between two memories.',
  Recall: 'Search.',
  Graph: 'Memories and associations as a graph, for clients that draw it.',
  Events: 'The journal of every change: page by page, per memory, and live.',
  Enrichment: 'Background work that adds entities, summaries and associations.',
  Administration: 'For operators: dead letters and projectors.',
  Service: 'The state of the service and this document.',
} as const;

type Note = { readonly tag: keyof typeof TAGS; readonly description: string };
type Operations = typeof OPERATIONS;
/** Without the internal operations, and without pages for browsers. */
export type PublicOperation = {
  [N in keyof Operations]: Operations[N] extends { access: 'internal' } | { page: true } ? never : N;
}[keyof Operations];

export const NOTES: Readonly<Record<PublicOperation, Note>> = {
  storeMemory: {
    tag: 'Memories',
    description:
      'Stores one memory under a new id. The answer comes after the commit; the vector and the enrichment follow in the background, unless the request has an embedding.',
  },
  storeBatch: {
    tag: 'Memories',
    description: 'Stores up to 500 memories in one commit, and waits for their vectors up to a limit of time.',
  },
  listByTag: {
    tag: 'Memories',
    description:
      'Lists memories with any of the tags: most important first, then newest, then by id. Nothing is ranked or hidden.',
  },
  deleteByTag: { tag: 'Memories', description: 'Deletes every memory with one of the tags, in rounds of 200.' },
  getMemory: { tag: 'Memories', description: 'Reads one memory with its associations in both directions.' },
  updateMemory: {
    tag: 'Memories',
    description: 'Changes the given fields. `tags` and `metadata` replace the stored ones as a whole.',
  },
  deleteMemory: {
    tag: 'Memories',
    description: 'Deletes one memory with its associations and its vector. A second call answers 404.',
  },
  associate: {
    tag: 'Associations',
    description:
      'Writes one association, or with `associations` up to 500 of which single ones may fail (207). The same pair with the same type is updated.',
  },
  listRelated: {
    tag: 'Associations',
    description:
      'Follows associations in both directions and lists the memories that it reaches: most important first, then newest, then by id. An unknown id has none.',
  },
  startupRecall: {
    tag: 'Recall',
    description:
      'Lists the ten most important memories tagged `critical`, `lesson` or `ai-assistant`, and five tagged `system` or `memory-recall`. Letter case counts; the state of a memory does not.',
  },
  listGraphTypes: { tag: 'Graph', description: 'Constant: for clients that draw the graph.' },
  listGraphRelations: {
    tag: 'Graph',
    description: 'Constant: for clients that draw the graph. Internal types are left out.',
  },
  snapshotGraph: {
    tag: 'Graph',
    description:
      'Streams the most important memories of a selection, then every association between them, then the counts. A failure after the beginning cuts the connection.',
  },
  graphStats: {
    tag: 'Graph',
    description: 'Counts by type, by importance and by day, from counts and indexes that are kept with each write.',
  },
  analyzeMemories: {
    tag: 'Graph',
    description:
      'Figures for a person who wants an overview. All but the counts are made from the newest memories, so the cost does not grow with the graph.',
  },
  listNeighbours: {
    tag: 'Graph',
    description:
      'Reads one memory with the memories that associations of every type lead to, and the memories whose vectors are nearest. Without the vector index the answer has the first part alone.',
  },
  recall: {
    tag: 'Recall',
    description:
      'Ranks memories by a weighted sum of vector, keyword, tag, time and graph evidence. Without a query it lists trending memories. With a query or an embedding it first waits, up to RECALL_FRESH_WAIT_MS, until the index has every write that was answered before; not while the index is further behind than that, or stands still.',
  },
  reprocess: {
    tag: 'Enrichment',
    description: 'Asks for a new enrichment of the listed memories, given in the body or in the query.',
  },
  enrichmentStatus: { tag: 'Enrichment', description: 'The queue and the counters of background enrichment.' },
  listEvents: {
    tag: 'Events',
    description: 'Reads committed events in the order of their positions; `wait` holds the request until there is one.',
  },
  listHistory: { tag: 'Events', description: 'Every version of a memory with the event that made it, oldest first.' },
  stream: {
    tag: 'Events',
    description: 'Sends events as they are committed, and lossy frames about activity, until one side disconnects.',
  },
  streamStatus: { tag: 'Events', description: 'How many clients watch the live stream of this instance.' },
  listDeadLetters: { tag: 'Administration', description: 'Lists events that failed permanently, oldest first.' },
  redriveDeadLetters: {
    tag: 'Administration',
    description: 'Lets the projector try these events again, chosen by id or by projector.',
  },
  discardDeadLetters: {
    tag: 'Administration',
    description: 'Removes dead letters, chosen by id or by projector; their events stay in the journal.',
  },
  backup: {
    tag: 'Administration',
    description:
      'Streams a tar.gz of all memories, associations and embeddings, with the admin token alone. A failure cuts the connection; only a whole archive ends with `manifest.json`.',
  },
  listProjectors: { tag: 'Administration', description: 'Position, lag, counters and instances of each projector.' },
  pauseProjector: {
    tag: 'Administration',
    description: 'Stops a projector after its present batch, until it is resumed.',
  },
  importRecords: {
    tag: 'Administration',
    description:
      'Stores memories and associations of another service with their ids and times; what is there already stays as it is.',
  },
  resumeProjector: { tag: 'Administration', description: 'Lets a paused projector go on.' },
  rebuildVectors: {
    tag: 'Administration',
    description:
      'Starts a job that makes a second vector index, proves that it agrees with the graph, and then switches to it. Recall answers from the old one until then. The embedder is checked first: a wrong provider, model or size starts nothing.',
  },
  rollbackVectors: {
    tag: 'Administration',
    description:
      'Starts a job that brings the previous vector index up to date and switches back to it. 409 when there is none, or when another job is unfinished.',
  },
  syncIndex: {
    tag: 'Administration',
    description:
      'Finds memories without a point, points without a memory and points that differ from their memory, has the vector indexer repair them, and waits for it. One at a time: a second request is answered 409.',
  },
  reembed: {
    tag: 'Administration',
    description:
      'Embeds the contents of memories again, the newest first, and replaces their vectors. It runs as a job: the answer is 200 with the counts if the job ends soon, otherwise 202 with the job.',
  },
  listEntities: {
    tag: 'Graph',
    description:
      'Persons, organizations, tools, projects, concepts, events and opportunities that memories name by their tags. An entity exists as long as a memory has its tag.',
  },
  getEntity: { tag: 'Graph', description: 'One entity with its aliases and the number of memories that name it.' },
  listMergeCandidates: {
    tag: 'Graph',
    description:
      'Pairs of the most referenced entities whose slugs are similar, or that share memories. Nothing is merged.',
  },
  mergeEntity: {
    tag: 'Administration',
    description:
      'The merged entity becomes an alias: its tags move to the other one, and enrichment uses the other one from now on. A repeated request continues a move that was interrupted.',
  },
  auditEntities: {
    tag: 'Administration',
    description: 'Checks the tags of entities by the rules that enrichment applies. Nothing is changed.',
  },
  consolidate: {
    tag: 'Administration',
    description:
      'Computes the relevance of memories, looks for associations and clusters, and forgets what became irrelevant. A dry run, the default, writes nothing. It runs as a job: the answer is 200 with the result if the job ends soon, otherwise 202 with the job. A second request meanwhile is answered 409.',
  },
  consolidationStatus: {
    tag: 'Administration',
    description: 'When each task of the schedule runs next, and the last runs that were not dry, with their results.',
  },
  restoreMemory: {
    tag: 'Administration',
    description:
      'Undoes the archiving of a memory. The memory becomes protected, so that consolidation leaves it alone.',
  },
  rebuildGraph: {
    tag: 'Administration',
    description:
      'Applies the state of the journal to the graph again, as a job. What the graph lost returns; what it has stays as it is.',
  },
  listJobs: {
    tag: 'Administration',
    description: 'The jobs of long maintenance, the newest first. At most one of them is unfinished.',
  },
  getJob: { tag: 'Administration', description: 'One job with its progress, and with its error if it failed.' },
  health: {
    tag: 'Service',
    description: 'Reports each database and the background work. Always 200; `status` is healthy or degraded.',
  },
  index: { tag: 'Service', description: 'Names the addresses of this document and of the health report.' },
  livez: { tag: 'Service', description: 'For the liveness probe of an orchestrator.' },
  readyz: { tag: 'Service', description: 'For the readiness probe of an orchestrator: 503 while requests would fail.' },
  openapi: { tag: 'Service', description: 'The OpenAPI document of the service.' },
};
