import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createVectorWait } from '../../../command-api/vector-wait.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { memoryId } from './fixtures.js';

const LONG_MS = 10_000;
const SHORT_MS = 30;

function stored(number: number, version = 1) {
  return { subject: memoryId(number), version };
}

describe('createVectorWait', () => {
  let indexed: Map<MemoryId, number>;
  let dead: Set<string>;
  let deadLettersRead: number;
  let lag: number | null;
  let queries: number;
  /** Runs before each query of the index, so that a test can let the indexer make progress. */
  let onQuery: () => void;
  let waiting: ReturnType<typeof createVectorWait>;
  const limits = (waitMs: number, signal = new AbortController().signal) => ({ waitMs, signal });

  beforeEach(() => {
    indexed = new Map();
    dead = new Set();
    deadLettersRead = 0;
    lag = 0;
    queries = 0;
    onQuery = () => undefined;
    waiting = createVectorWait({
      vectors: {
        versions: async (ids) => {
          queries += 1;
          onQuery();
          return new Map([...indexed].filter(([id]) => ids.includes(id)));
        },
      },
      deadLetters: {
        find: (_, subjects) => {
          deadLettersRead += 1;
          return Promise.resolve(new Set(subjects.map(({ subject }) => subject).filter((id) => dead.has(id))));
        },
      },
      indexer: () => Promise.resolve(lag),
      logger: silentLogger,
    });
  });

  it('does not wait for an erased event', async () => {
    indexed.set(memoryId(2), 1);

    expect(await waiting.states([{ ...stored(1), data: null }, stored(2)], limits(LONG_MS))).to.deep.equal([
      'stored',
      'stored',
    ]);
  });

  it('ends as soon as the index has the version or a newer one', async () => {
    onQuery = () => {
      if (queries === 3) indexed.set(memoryId(1), 2);
    };

    expect(await waiting.states([stored(1, 2)], limits(LONG_MS))).to.deep.equal(['stored']);
    expect(queries).to.equal(3);
  });

  it('keeps waiting while the index has only an older version', async () => {
    indexed.set(memoryId(1), 1);

    expect(await waiting.states([stored(1, 2)], limits(SHORT_MS))).to.deep.equal(['queued']);
  });

  it('returns one state for each event', async () => {
    indexed.set(memoryId(1), 1);
    dead.add(memoryId(2));

    expect(await waiting.states([stored(1), stored(2), stored(3)], limits(SHORT_MS))).to.deep.equal([
      'stored',
      'failed',
      'queued',
    ]);
  });

  it('queries the index once and does not wait while no indexer runs', async () => {
    lag = null;
    indexed.set(memoryId(1), 1);

    expect(await waiting.states([stored(1), stored(2)], limits(LONG_MS))).to.deep.equal(['stored', 'queued']);
    expect(queries).to.equal(1);
  });

  it('does not wait for an indexer with more lag than the wait', async () => {
    lag = LONG_MS + 1;

    expect(await waiting.states([stored(1)], limits(LONG_MS))).to.deep.equal(['queued']);
  });

  it('ends immediately when the index does not answer', async () => {
    onQuery = () => {
      throw new DependencyError('vectors', 'down');
    };

    expect(await waiting.states([stored(1)], limits(LONG_MS))).to.deep.equal(['unavailable']);
    expect(queries).to.equal(1);
  });

  it('ends when the caller aborts', async () => {
    const caller = new AbortController();
    onQuery = () => {
      if (queries === 2) caller.abort();
    };

    expect(await waiting.states([stored(1)], limits(LONG_MS, caller.signal))).to.deep.equal(['queued']);
  });

  it('looks at the index when it is woken, and then reads no dead letters', async () => {
    let state: readonly string[] | undefined;
    const waited = waiting.states([stored(1)], limits(LONG_MS)).then((states) => (state = states));
    await nextTurn();
    expect(queries).to.equal(0);

    indexed.set(memoryId(1), 1);
    waiting.wake();
    await nextTurn();

    expect(state).to.deep.equal(['stored']);
    expect([queries, deadLettersRead]).to.deep.equal([1, 0]);
    await waited;
  });

  it('finds a dead letter while other memories get their vectors', async () => {
    dead.add(memoryId(0));
    let next = 1;
    const others = new AbortController();
    onQuery = () => {
      indexed.set(memoryId(next), 1);
      next += 1;
      if (!others.signal.aborted) void waiting.states([stored(next)], limits(LONG_MS));
    };

    expect(await waiting.states([stored(0)], limits(LONG_MS))).to.deep.equal(['failed']);
    others.abort();
  });

  it('queries the index once for all waiting requests', async () => {
    const twenty = Array.from({ length: 20 }, (_, number) => stored(number));
    onQuery = () => {
      if (queries === 4) for (const { subject } of twenty) indexed.set(subject, 1);
    };

    const states = await Promise.all(twenty.map((event) => waiting.states([event], limits(LONG_MS))));

    expect(states.flat()).to.deep.equal(twenty.map(() => 'stored'));
    expect(queries).to.be.at.most(6);
  });
});
