import { expect } from 'chai';
import type { MarkFinding } from '../../../shared/integrity/journal-mark/mark-findings.js';
import { type MarkWatch, watchMark } from '../../../shared/integrity/journal-mark/watch-mark.js';
import { silentLogger } from '../../../shared/kernel/logger.js';

const EMPTIED: MarkFinding = {
  kind: 'emptied',
  problem: 'The graph was emptied',
  refusesCommands: false,
  rebuild: null,
};
/** No test waits for the comparison of the schedule. */
const NEVER_MS = 1_000_000;

describe('watch of the mark', () => {
  let watch: MarkWatch;
  let comparisons = 0;
  let compare: () => Promise<MarkFinding>;

  beforeEach(async () => {
    comparisons = 0;
    compare = () => Promise.resolve({ kind: 'same', position: Infinity });
    const checkMark = () => {
      comparisons += 1;
      return compare();
    };
    watch = await watchMark({ checkMark, logger: silentLogger, checkMs: NEVER_MS });
  });
  afterEach(() => watch.close());

  it('finds on request what was lost after the last comparison', async () => {
    compare = () => Promise.resolve(EMPTIED);
    expect(watch.isBehind()).to.equal(false);
    expect(await watch.isBehindNow()).to.equal(true);
    expect(watch.isBehind()).to.equal(true);
  });

  it('shares a comparison among requests that wait for it', async () => {
    await watch.isBehindNow();
    const before = comparisons;
    await Promise.all(Array.from({ length: 10 }, () => watch.isBehindNow()));
    expect(comparisons).to.equal(before + 1);
  });

  it('begins the comparison after the request', async () => {
    await watch.isBehindNow();
    let finish = (): void => undefined;
    compare = () => new Promise((resolve) => (finish = () => resolve({ kind: 'same', position: Infinity })));
    const early = watch.isBehindNow();
    await Promise.resolve();
    await Promise.resolve();
    compare = () => Promise.resolve(EMPTIED);
    const late = watch.isBehindNow();
    finish();
    await early;
    expect(await late).to.equal(true);
  });

  it('keeps the last comparison when a new one fails', async () => {
    compare = () => Promise.resolve(EMPTIED);
    await watch.isBehindNow();
    compare = () => Promise.reject(new Error('Neo4j does not answer'));
    expect(await watch.isBehindNow()).to.equal(true);
  });
});
