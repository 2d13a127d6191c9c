import { expect } from 'chai';
import { createAwaitHead } from '../../../../query-api/consistency/await-head.js';
import type { Consistency } from '../../../../query-api/consistency/await-position.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';

const { signal } = new AbortController();
const indexed: Consistency = { index: true, graph: true, waitedMs: 1, hasWaited: false };

/** `heads`: what the journal answers, one after the other and then the last one again. */
function fixture(
  heads: readonly (number | Error)[],
  shown: Consistency = indexed,
  options: { local?: () => number } = {},
) {
  const awaited: number[] = [];
  let queries = 0;
  const head = async (): Promise<number> => {
    const answer = heads[Math.min(queries++, heads.length - 1)] ?? 0;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { local } = options;
  const awaitHead = createAwaitHead({
    journal: { head },
    ...(local && { localIndexer: { head, position: local, reached: async () => undefined } }),
    awaitPosition: async ({ position, reads }) => {
      expect(reads).to.equal('index');
      awaited.push(position);
      return shown;
    },
    waitMs: 1_000,
    logger: silentLogger,
  });
  return { awaitHead, awaited, queries: () => queries };
}

describe('await head', () => {
  it('compares two numbers where the indexer runs in this process', async () => {
    let position = 4;
    const { awaitHead, awaited } = fixture([5], { ...indexed, hasWaited: true }, { local: () => position });
    expect(await awaitHead(signal)).to.include({ position: 5, index: true });
    position = 5;
    expect(await awaitHead(signal)).to.equal(null);
    expect(awaited).to.deep.equal([5]);
  });

  it('checks a head once when the index was complete up to it', async () => {
    const { awaitHead, awaited } = fixture([7, 7, 7, 8]);
    for (let round = 0; round < 4; round += 1) expect(await awaitHead(signal)).to.equal(null);
    expect(awaited).to.deep.equal([7, 8]);
  });

  it('checks again while the index is not complete', async () => {
    const { awaitHead, awaited } = fixture([7], { ...indexed, index: false });
    for (let round = 0; round < 2; round += 1)
      expect(await awaitHead(signal)).to.include({ position: 7, index: false });
    expect(awaited).to.deep.equal([7, 7]);
  });

  it('checks a position of a restored journal again', async () => {
    const { awaitHead, awaited } = fixture([9, 5, 9]);
    for (let round = 0; round < 3; round += 1) await awaitHead(signal);
    expect(awaited).to.deep.equal([9, 5, 9]);
  });

  it('asks the journal after the call, once for concurrent calls', async () => {
    const { awaitHead, queries } = fixture([3]);
    const first = awaitHead(signal);
    const others = Array.from({ length: 10 }, () => awaitHead(signal));
    await Promise.all([first, ...others]);
    expect(queries()).to.equal(2);
  });

  it('neither waits nor asks again immediately after a failure of the journal', async () => {
    const { awaitHead, awaited, queries } = fixture([new DependencyError('journal', 'down')]);
    expect([await awaitHead(signal), await awaitHead(signal)]).to.deep.equal([null, null]);
    expect([awaited, queries()]).to.deep.equal([[], 1]);
  });

  it('does not wait for a journal that hangs', async () => {
    const awaitHead = createAwaitHead({
      journal: { head: () => new Promise(() => undefined) },
      awaitPosition: () => Promise.reject(new Error('waited')),
      waitMs: 60_000,
      logger: silentLogger,
    });
    expect(await awaitHead(signal)).to.equal(null);
  });

  it('is off with a wait of 0', async () => {
    const failing = () => Promise.reject(new Error('asked'));
    const off = createAwaitHead({
      journal: { head: failing },
      awaitPosition: failing,
      waitMs: 0,
      logger: silentLogger,
    });
    expect(await off(signal)).to.equal(null);
  });
});
