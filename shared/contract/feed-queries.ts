/** The query parameters of the feed of events and of the history of a memory. */
import { FEED_LIMIT, FEED_SCAN_LIMIT, FEED_WAIT_LIMIT_SECONDS, HISTORY_LIMIT, LIST_LIMIT } from './limits.js';
import type { QueryParameter } from './queries.js';

/** The largest version that the databases accept. */
const LAST_VERSION = 2 ** 31 - 1;

export const eventsQuery = [
  {
    name: 'after',
    kind: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    refuse: "'after' must be a position of the journal: take it from `next`, or 0 for the beginning",
    description: 'Only events after this position: `next` of the previous answer. Default 0, the beginning.',
  },
  {
    name: 'type',
    kind: 'list',
    maximumItems: LIST_LIMIT,
    description: `Only events of these types. One request reads at most ${FEED_SCAN_LIMIT} positions, so an answer without events is the end only when \`next\` equals \`head\`.`,
  },
  {
    name: 'subject',
    kind: 'text',
    description: 'Only events of this memory, by its id, or of this association, by its `source|TYPE|target`.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: FEED_LIMIT,
    description: `Default 100, clamped to 1..${FEED_LIMIT}; large events make an answer shorter.`,
  },
  {
    name: 'wait',
    kind: 'number',
    minimum: 0,
    maximum: FEED_WAIT_LIMIT_SECONDS,
    description: `Seconds to wait for an event when there is none yet; default 0, clamped to 0..${FEED_WAIT_LIMIT_SECONDS}.`,
  },
] as const satisfies readonly QueryParameter[];

export const historyQuery = [
  {
    name: 'after',
    kind: 'integer',
    minimum: 0,
    maximum: LAST_VERSION,
    refuse: "'after' must be a version of the memory: take it from `next`, or 0 for the beginning",
    description: 'Only versions after this one: `next` of the previous answer. Default 0, the beginning.',
  },
  {
    name: 'limit',
    kind: 'integer',
    minimum: 1,
    maximum: HISTORY_LIMIT,
    description: `Default 50, clamped to 1..${HISTORY_LIMIT}; large versions make an answer shorter.`,
  },
] as const satisfies readonly QueryParameter[];
