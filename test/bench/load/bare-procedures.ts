/**
 * The procedures of the floors that run in the database thread: one insert, and scans of all vectors without a filter.
 */
import { procedure } from '../../../shared/engines/sqlite/threads/host.js';
import { createExactVectors } from '../../../shared/engines/sqlite/vectors/exact-vectors.js';

export const bareInsert = procedure(
  import.meta.url,
  'bareInsert',
  (database, { body }: { readonly body: string }): void => {
    database.run('INSERT INTO bare (body) VALUES (?)', [body]);
  },
);

type Scan = { readonly size: number; readonly dimension: number; readonly times: number };

/** Returns the milliseconds of each scan, sorted. */
export const bareScan = procedure(
  import.meta.url,
  'bareScan',
  (_database, { size, dimension, times }: Scan): number[] => {
    const vector = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
    const vectors = createExactVectors(dimension, { read: () => vector, cachedRows: size });
    const slots = Uint32Array.from({ length: size }, (_, slot) => slot);
    vectors.score(vector, slots, () => undefined); // loads them
    const durations = Array.from({ length: times }, () => {
      const before = performance.now();
      let best = -1;
      vectors.score(vector, slots, (_slot, product) => {
        if (product > best) best = product;
      });
      return performance.now() - before;
    });
    return durations.sort((a, b) => a - b);
  },
);
