/** Derives PRECEDED_BY associations: from a memory to the memories just before it, by their own timestamps. */
import type { DerivedAssociation } from '../../shared/contract/association.js';
import type { Memory, MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { formatTimestamp } from '../../shared/kernel/clock.js';
import { batchTurn } from '../../shared/kernel/concurrency/batch-turn.js';
import { toError } from '../../shared/kernel/errors.js';
import type { GraphReader } from '../../shared/ports/graph.js';

/**
 * One strength per rank; their number is the limit. Nearness in time is weak evidence, so the nearest gets 0.5, the
 * default strength of an association. The strength falls with each memory in between, so that expansion follows the
 * nearest first.
 */
const STRENGTHS = [0.5, 0.4, 0.3, 0.2, 0.1] as const;
const WINDOW_DAYS = 7;
const DAY_MS = 86_400_000;

/** Windows in one read: as many as `newestWithin` takes. */
const WINDOWS_LIMIT = 100;

export type DerivePredecessors = (memory: Pick<Memory, 'timestamp'>) => Promise<readonly DerivedAssociation[]>;

/** Memories that are asked for in the same turn share one read. */
export function createDerivePredecessors({
  graph,
  now,
}: {
  readonly graph: Pick<GraphReader, 'newestWithin'>;
  readonly now: Timestamp;
}): DerivePredecessors {
  const filter = { excludedTypes: ['MetaPattern'], state: 'unarchived', now } as const;
  const read = (windows: readonly Window[]): Promise<readonly (readonly MemoryId[])[]> =>
    graph.newestWithin({ windows, filter, limit: STRENGTHS.length });

  /** After a failure each window is read alone, so that one memory fails alone. */
  async function readEach(windows: readonly Window[]): Promise<readonly (readonly MemoryId[] | Error)[]> {
    try {
      return await read(windows);
    } catch (error) {
      if (windows.length === 1) return [toError(error)];
      return (await Promise.all(windows.map((window) => readEach([window])))).flat();
    }
  }

  const newestIn = batchTurn({ limit: WINDOWS_LIMIT, run: readEach });
  return async ({ timestamp }) => {
    const targets = await newestIn(justBefore(timestamp));
    if (targets instanceof Error) throw targets;
    return STRENGTHS.flatMap((strength, rank) => {
      const target = targets[rank];
      return target === undefined ? [] : [{ target, type: 'PRECEDED_BY', strength, properties: { count: 1 } }];
    });
  };
}

type Window = { readonly start: Timestamp; readonly end: Timestamp };

/**
 * The window ends one microsecond before: its bounds are inclusive, and memories with the same timestamp do not precede
 * each other.
 */
function justBefore(timestamp: Timestamp): Window {
  const start = formatTimestamp(new Date(Date.parse(timestamp) - WINDOW_DAYS * DAY_MS));
  return { start, end: microsecondBefore(timestamp) };
}

/** A double cannot hold the microseconds of a date, so the fraction is computed separately. */
function microsecondBefore(timestamp: Timestamp): Timestamp {
  const [seconds = '', fraction] = timestamp.replace('+00:00', '').split('.');
  const micros = Number(fraction ?? 0);
  const second = micros > 0 ? seconds : new Date(Date.parse(`${seconds}Z`) - 1_000).toISOString().slice(0, 19);
  return `${second}.${String(micros > 0 ? micros - 1 : 999_999).padStart(6, '0')}+00:00`;
}
