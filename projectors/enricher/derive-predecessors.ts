/** Derives PRECEDED_BY associations: from a memory to the memories just before it, by their own timestamps. */
import type { DerivedAssociation } from '../../shared/contract/association.js';
import type { MemoryFilter } from '../../shared/contract/filter.js';
import type { Memory, Timestamp } from '../../shared/contract/memory.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import { formatTimestamp } from '../../shared/kernel/clock.js';

/**
 * One strength per rank; their number is the limit. Nearness in time is weak evidence, so the nearest gets 0.5, the default strength of
 * an association. The strength falls with each memory in between, so that expansion follows the nearest first.
 */
const STRENGTHS = [0.5, 0.4, 0.3, 0.2, 0.1] as const;
const WINDOW_DAYS = 7;
const DAY_MS = 86_400_000;

export async function derivePredecessors({
  graph,
  memory,
  now,
}: {
  readonly graph: Pick<GraphReader, 'trending'>;
  readonly memory: Pick<Memory, 'timestamp'>;
  readonly now: Timestamp;
}): Promise<readonly DerivedAssociation[]> {
  const targets = await graph.trending({
    filter: justBefore(memory.timestamp, now),
    order: 'time_desc',
    limit: STRENGTHS.length,
  });
  return STRENGTHS.flatMap((strength, rank) => {
    const target = targets[rank];
    return target === undefined ? [] : [{ target, type: 'PRECEDED_BY', strength, properties: { count: 1 } }];
  });
}

/** The window ends one microsecond before: its bounds are inclusive, and memories with the same timestamp do not precede each other. */
function justBefore(timestamp: Timestamp, now: Timestamp): MemoryFilter {
  const start = formatTimestamp(new Date(Date.parse(timestamp) - WINDOW_DAYS * DAY_MS));
  return {
    tags: null,
    excludeTags: [],
    excludedTypes: ['MetaPattern'],
    state: 'unarchived',
    now,
    start,
    end: microsecondBefore(timestamp),
  };
}

/** A double cannot hold the microseconds of a date, so the fraction is computed separately. */
function microsecondBefore(timestamp: Timestamp): Timestamp {
  const [seconds = '', fraction] = timestamp.replace('+00:00', '').split('.');
  const micros = Number(fraction ?? 0);
  const second = micros > 0 ? seconds : new Date(Date.parse(`${seconds}Z`) - 1_000).toISOString().slice(0, 19);
  return `${second}.${String(micros > 0 ? micros - 1 : 999_999).padStart(6, '0')}+00:00`;
}
