/** Reads subjects until each of them was read in one version. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DependencyError } from '../../../kernel/errors.js';
import type { Row } from '../neo4j.js';

/** One read in 500 is torn next to a writer of the same subject. While Neo4j is busy it stays torn for some ms. */
const MAX_READS = 8;
/** The first pause; each further one is twice as long, half a second in all. */
const PAUSE_MS = 2;

/**
 * Reads rows again that are not whole. A subject of an earlier release has no seal: it counts as whole when two reads in a row are equal.
 * Throws DependencyError('graph') when a subject changes in every read.
 */
export async function readUntorn<K>(
  keys: readonly K[],
  {
    read,
    keyOf,
    isWhole,
    isUnsealed,
  }: {
    readonly read: (keys: readonly K[]) => Promise<readonly Row[]>;
    readonly keyOf: (row: Row) => K;
    readonly isWhole: (row: Row) => boolean;
    readonly isUnsealed: (row: Row) => boolean;
  },
): Promise<readonly Row[]> {
  const whole: Row[] = [];
  let doubtful: readonly Row[] = [];
  let asked = keys;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const rows = await read(asked);
    const former = doubtful;
    const isRepeated = (row: Row): boolean => former.some((earlier) => isDeepStrictEqual(earlier, row));
    const isConfirmed = (row: Row): boolean => isWhole(row) || (isUnsealed(row) && isRepeated(row));
    whole.push(...rows.filter(isConfirmed));
    doubtful = rows.filter((row) => !isConfirmed(row));
    if (doubtful.length === 0) return whole;
    asked = doubtful.map(keyOf);
    await pause(PAUSE_MS * 2 ** reads);
  }
  throw new DependencyError('graph', `The graph changed ${asked.length} subjects during each of ${MAX_READS} reads`);
}
