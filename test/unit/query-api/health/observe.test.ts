import { expect } from 'chai';
import { createObserve, type Observation, type ObserveDependencies } from '../../../../query-api/health/observe.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import type { GraphReader } from '../../../../shared/ports/graph.js';
import type { DeadLetters, JournalReader, ProjectorState } from '../../../../shared/ports/journal.js';
import type { VectorIndexReader } from '../../../../shared/ports/vectors.js';
import { RUNNING_INDEXER } from '../../../support/fixtures/projector-states.js';
import { NOW_TEXT } from '../recall/memories.js';

const down = () => Promise.reject(new DependencyError('journal', 'down'));
const indexer = (instance: string, position: number, overrides: Partial<ProjectorState> = {}): ProjectorState => ({
  ...RUNNING_INDEXER,
  instance,
  position,
  heartbeatAt: NOW_TEXT,
  heartbeatAgeMs: 0,
  ...overrides,
});

type Given = {
  readonly head?: () => Promise<number>;
  readonly states?: () => Promise<readonly ProjectorState[]>;
  readonly outbox?: ObserveDependencies['outbox'];
  readonly checkMark?: ObserveDependencies['checkMark'];
};

/** Engines with three memories each; only the port methods that health uses. */
function observe({
  head = async () => 9,
  states = async () => [indexer('one', 9)],
  outbox,
  checkMark,
}: Given): Promise<Observation> {
  const isJournalDown = head === down;
  return createObserve({
    graph: {
      ping: async () => undefined,
      counts: async () => ({ memories: 3, associations: 0, unenriched: 3 }),
    } as unknown as GraphReader,
    vectors: { ping: async () => undefined, count: async () => 3 } as unknown as VectorIndexReader,
    journal: { head, ageAfter: async () => null } as unknown as JournalReader,
    deadLetters: { count: async () => (isJournalDown ? down() : 0) } as unknown as DeadLetters,
    projectorStates: {
      list: states,
      paused: async () => new Set(),
    } as unknown as ObserveDependencies['projectorStates'],
    ...(outbox && { outbox }),
    ...(checkMark && { checkMark }),
    excludedTypes: [],
    timeoutMs: 1_000,
    logger: silentLogger,
  })();
}

describe('health observation', () => {
  it('has a problem while graph and journal answer, but not their comparison', async () => {
    expect(await observe({ checkMark: down })).to.deep.include({
      problems: ['The graph could not be compared with its journal in time'],
    });
    expect(await observe({ checkMark: down, head: down })).to.deep.include({ problems: [] });
    expect(await observe({ checkMark: async () => ({ kind: 'same', position: Infinity }) })).to.deep.include({
      problems: [],
    });
  });

  it('counts the events in flight of the slowest instance', async () => {
    const states = async () => [indexer('one', 9), indexer('two', 6)];
    expect(await observe({ states })).to.include({ inFlight: 3, isQuiet: false, isIndexing: true });
    expect(await observe({})).to.include({ inFlight: 0, isQuiet: true, isIndexing: true, journalAnswers: true });
  });

  it('is not quiet without an indexer, even if everything is indexed', async () => {
    expect(await observe({ states: async () => [indexer('one', 9, { stopped: true })] })).to.include({
      inFlight: 0,
      isQuiet: false,
      isIndexing: false,
    });
    expect(await observe({ states: async () => [] })).to.include({ inFlight: 9, isQuiet: false, isIndexing: false });
  });

  it('reports everything except the journal while the journal does not answer', async () => {
    const seen = await observe({ head: down, states: down, outbox: { depth: down } });
    expect(seen).to.deep.include({
      graphAnswers: true,
      vectorsAnswer: true,
      journalAnswers: false,
      memories: 3,
      vectors: 3,
      inFlight: null,
      isQuiet: false,
      isIndexing: null,
      outbox: null,
      deadLetters: null,
      unindexed: null,
      projectors: [],
    });
  });

  it('reports the depth of the outbox if there is one', async () => {
    const depth = { pending: 1, applied: 2, oldestMs: 30, dead: 0, oldestDeadMs: 0 };
    expect((await observe({ outbox: { depth: async () => depth } })).outbox).to.deep.equal(depth);
    expect((await observe({})).outbox).to.equal(undefined);
  });
});
