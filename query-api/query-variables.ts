/** The variables of the read side without those of the score; `config.ts` turns them into the typed configuration. */
import type { Variable } from '../shared/kernel/config/config.js';

/**
 * The maximum values keep one recall within the 1,000 memories that one round trip hydrates: 400 by vector, 400 by
 * keyword, twice 50 lapsed ones, 50 that the caller names, and 20 by metadata.
 */
export const queryVariables = [
  {
    name: 'RECALL_MAX_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 400,
    default: '100',
    description: 'Largest `limit` of a recall.',
  },
  {
    name: 'RECALL_RELATION_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 200,
    default: '5',
    description: 'Relations shown with each result.',
  },
  {
    name: 'RECALL_EXPANSION_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 500,
    default: '25',
    description: 'Memories that the expansion of a recall adds in all.',
  },
  {
    name: 'RECALL_MIN_SCORE',
    kind: 'number',
    minimum: 0,
    maximum: 1,
    default: '0',
    description: 'Smallest score of a result; 0 drops nothing.',
  },
  {
    name: 'RECALL_VECTOR_OVERFETCH',
    kind: 'integer',
    minimum: 1,
    default: '4',
    description: 'Candidates of a request without a query, for each result.',
  },
  {
    name: 'RECALL_VECTOR_FETCH_CAP',
    kind: 'integer',
    minimum: 1,
    maximum: 400,
    default: '200',
    description: 'Most candidates by vector, and most candidates of a request without a query.',
  },
  {
    name: 'RECALL_SOURCE_TIMEOUT_MS',
    kind: 'integer',
    minimum: 1,
    default: '3000',
    unit: 'ms',
    description: 'How long a recall waits for one of its sources.',
  },
  {
    name: 'RECALL_CONSISTENT_WAIT_MS',
    kind: 'integer',
    minimum: 0,
    maximum: 25_000,
    default: '5000',
    unit: 'ms',
    description: 'How long a read waits for the position in `consistent_with`.',
  },
  {
    name: 'RECALL_FRESH_WAIT_MS',
    kind: 'integer',
    minimum: 0,
    maximum: 25_000,
    default: '1000',
    unit: 'ms',
    description:
      'How long a recall by meaning waits for the writes before it. It does not wait while the index is further behind, or stands still. 0: never.',
  },
  {
    name: 'RECALL_EXCLUDED_TYPES',
    kind: 'list',
    default: 'MetaPattern',
    description: 'Memory types that recall never shows, separated by commas.',
  },
  {
    name: 'RECALL_ADAPTIVE_FLOOR',
    kind: 'flag',
    default: 'true',
    description: 'Whether recall drops results far below the best ones when `adaptive_floor` is not given.',
  },
  {
    name: 'RECALL_RECENCY_BIAS',
    kind: 'choice',
    choices: ['auto', 'on', 'off'],
    default: 'off',
    description:
      'Whether newer results rank higher when `recency_bias` is not given; `auto` for queries that ask for the latest.',
  },
  {
    name: 'RECALL_METADATA_SEARCH_ENABLED',
    kind: 'flag',
    default: 'true',
    description: 'Whether strong matches in metadata (source, repo, project, tool and similar fields) add candidates.',
  },
  {
    name: 'ENRICHMENT_MAX_ATTEMPTS',
    kind: 'integer',
    minimum: 1,
    default: '3',
    description: 'Attempts before a memory counts as failed.',
  },
  {
    name: 'STREAM_CLIENTS',
    kind: 'integer',
    minimum: 0,
    maximum: 400,
    default: '100',
    description: 'Clients of the live stream at one process; further clients get 503.',
  },
  {
    name: 'HEALTH_TIMEOUT_MS',
    kind: 'integer',
    minimum: 1,
    default: '2000',
    unit: 'ms',
    description: 'How long /health waits for each part.',
  },
  {
    name: 'JOB_WAIT_MS',
    kind: 'integer',
    minimum: 0,
    maximum: 3_600_000,
    default: '20000',
    unit: 'ms',
    description:
      'How long `POST /admin/reembed` and `POST /consolidate` wait for the end of their job, which goes on after the answer 202, and `POST /admin/sync` until the index shows the repairs. Below the 25 s after which clients time out.',
  },
] as const satisfies readonly Variable[];
