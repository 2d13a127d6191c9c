import { expect } from 'chai';
import {
  type Consistency,
  createAwaitPosition,
  type PositionWait,
} from '../../../../query-api/consistency/await-position.js';
import { createConsistentRead } from '../../../../query-api/consistency/consistent-read.js';
import type { IndexStateAt } from '../../../../query-api/consistency/index-state.js';
import type { BodyReply, RequestContext } from '../../../../shared/http/handler.js';
import type { MarkFinding } from '../../../../shared/integrity/journal-mark/mark-findings.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import type { GraphReader } from '../../../../shared/ports/graph.js';
import { memory, numberedId, recorded, updated } from '../../../support/fixtures/events.js';

const HEAD = 9;
/** Longer than any wait in a test: a part that cannot arrive ends the wait immediately. */
const LONG_MS = 60_000;

/** `lagMs`: the age of the events that the index lacks; null while no indexer runs. */
type Seen = { readonly indexed: number; readonly lagMs: number | null; readonly graph: boolean };
const there: Seen = { indexed: HEAD, lagMs: 0, graph: true };

type Graph = Pick<GraphReader, 'memories' | 'tombstones'>;
/** A graph with this version of the memory of the event at HEAD. */
const graphWith = (version: number, { isDeleted = false } = {}): Graph => {
  const loaded = { memory: memory(1), vectorRef: null, version, revision: version, position: 1 };
  return {
    memories: async () => (isDeleted ? [] : [loaded]),
    tombstones: async () => new Map(isDeleted ? [[numberedId(1), loaded]] : []),
  };
};
const VERSION = 4;

const bySavedPosition: IndexStateAt = async ({ indexed, position }) =>
  indexed >= position ? { kind: 'indexed' } : { kind: 'behind', missing: indexed + 1 };

/** Returns one element after the other, and then the last one repeatedly. */
async function awaitWith(
  seen: readonly Seen[],
  asked: Partial<PositionWait> = {},
  {
    waitMs = LONG_MS,
    indexStateAt = bySavedPosition,
    finding = { kind: 'same', position: HEAD } as MarkFinding,
    laterFinding = undefined as MarkFinding | undefined,
    graph = graphWith(VERSION),
  } = {},
): Promise<Consistency & { readonly polls: number }> {
  let polls = 0;
  let comparisons = 0;
  let now = there;
  const poll = async () => {
    now = seen[Math.min(polls++, seen.length - 1)] ?? there;
    return { indexed: now.indexed, isRunning: now.lagMs !== null };
  };
  const awaitPosition = createAwaitPosition({
    journal: {
      head: async () => HEAD,
      ageAfter: async () => now.lagMs,
      read: async () => [recorded(updated(1, VERSION), HEAD)],
    },
    graph,
    outbox: { unapplied: async (positions) => new Set(now.graph ? [] : positions) },
    progress: poll,
    indexStateAt,
    checkMark: async () => (comparisons++ === 0 ? finding : (laterFinding ?? finding)),
    logger: silentLogger,
  });
  const consistency = await awaitPosition({
    position: HEAD,
    reads: 'index_and_graph',
    waitMs,
    signal: new AbortController().signal,
    ...asked,
  });
  return { ...consistency, polls };
}

const LOST: Omit<Extract<MarkFinding, { problem: string }>, 'kind'> = {
  problem: 'The graph lost events',
  refusesCommands: false,
  rebuild: null,
};

describe('await position', () => {
  it('reports no position of a graph that lost events', async () => {
    for (const kind of ['emptied', 'put_back', 'journal_went_back', 'replaced'] as const)
      expect(await awaitWith([there], {}, { finding: { kind, ...LOST } })).to.include({ index: true, graph: false });
    expect(await awaitWith([there], {}, { finding: { kind: 'unmarked' } })).to.include({ graph: true });
  });

  it('reports no position above the mark of the graph, read twice', async () => {
    const behind: MarkFinding = { kind: 'same', position: HEAD - 1 };
    expect(await awaitWith([there], {}, { finding: behind })).to.include({ index: true, graph: false });
    expect(await awaitWith([there], { position: HEAD - 1 }, { finding: behind })).to.include({ graph: true });
    const laterFinding: MarkFinding = { kind: 'same', position: HEAD };
    expect(await awaitWith([there], {}, { finding: behind, laterFinding })).to.include({ graph: true });
    const lost: MarkFinding = { kind: 'put_back', ...LOST };
    expect(await awaitWith([there], {}, { finding: lost, laterFinding })).to.include({ graph: false });
  });

  it('reports no position whose event the graph lacks, also below its mark', async () => {
    const down = { ...graphWith(VERSION), memories: () => Promise.reject(new DependencyError('graph', 'down')) };
    for (const [graph, isShown] of [
      [graphWith(VERSION - 1), false],
      [graphWith(VERSION + 1), true],
      [graphWith(VERSION - 1, { isDeleted: true }), false],
      [graphWith(VERSION, { isDeleted: true }), true],
      [down, false],
    ] as const)
      expect(await awaitWith([there], {}, { graph })).to.include({ index: true, graph: isShown });
    const reads = { reads: 'index' } as const;
    expect(await awaitWith([there], reads, { graph: graphWith(1) }), 'not its own').to.include({ graph: true });
  });

  it('polls once when index and graph show the position', async () => {
    expect(await awaitWith([there])).to.include({ index: true, graph: true, polls: 1 });
    expect(await awaitWith([{ ...there, indexed: 4, lagMs: 10 }], { position: 4 })).to.include({
      index: true,
      polls: 1,
    });
  });

  it('ends the look-up of an index that hangs', async () => {
    const indexStateAt: IndexStateAt = () => new Promise(() => undefined);
    expect(await awaitWith([{ ...there, lagMs: 10 }], {}, { waitMs: 500, indexStateAt })).to.include({
      index: false,
      graph: true,
    });
  });

  it('waits for both index and graph', async () => {
    const behind: Seen = { indexed: 8, lagMs: 3, graph: false };
    expect(await awaitWith([behind, { ...behind, graph: true }, there])).to.include({
      index: true,
      graph: true,
      polls: 3,
    });
    expect(await awaitWith([behind, { ...behind, indexed: HEAD }, there])).to.include({
      index: true,
      graph: true,
      polls: 3,
    });
  });

  it('does not wait for an index that cannot arrive in time', async () => {
    expect(await awaitWith([{ ...there, indexed: 8, lagMs: null }])).to.include({
      index: false,
      graph: true,
      polls: 1,
    });
    expect(await awaitWith([{ ...there, indexed: 8, lagMs: LONG_MS * 2 }])).to.include({
      index: false,
      graph: true,
      polls: 1,
    });
    const stopped: Seen = { indexed: 8, lagMs: null, graph: false };
    expect(await awaitWith([stopped, stopped, { ...stopped, graph: true }]), 'the graph may still arrive').to.include({
      index: false,
      graph: true,
      polls: 3,
    });
  });

  it('does not wait for a memory that the index could not take', async () => {
    const behind: Seen = { indexed: 8, lagMs: 3, graph: true };
    const found = await awaitWith([behind], {}, { indexStateAt: async () => ({ kind: 'dead_lettered' }) });
    expect(found).to.include({ index: false, graph: true, polls: 1 });
  });

  it('waits only for the graph when the index is not read, and reports both', async () => {
    expect(await awaitWith([{ ...there, indexed: 8 }], { reads: 'graph' })).to.include({
      index: false,
      graph: true,
      polls: 1,
    });
  });

  it('does not look up the events of an index that stands still or is far behind', async () => {
    const indexStateAt = () => Promise.reject(new Error('looked up'));
    for (const lagMs of [null, 2 * LONG_MS]) {
      const found = await awaitWith([{ indexed: 8, lagMs, graph: false }], { reads: 'index' }, { indexStateAt });
      expect(found, `${lagMs}`).to.include({ index: false, hasWaited: false, polls: 1 });
    }
  });

  it('waits on while an event grows older during the wait', async () => {
    const behind: Seen = { indexed: 8, lagMs: LONG_MS, graph: true };
    expect(
      await awaitWith([behind, behind, there], { reads: 'index' }, { waitMs: LONG_MS / 2 }),
      'too old at the start',
    ).to.include({ index: false, polls: 1 });
    const growing = [200, 400, 800, 1_600].map((lagMs): Seen => ({ ...behind, lagMs }));
    expect(await awaitWith(growing, { reads: 'index' }, { waitMs: 1_000 })).to.include({
      index: false,
      hasWaited: true,
    });
  });

  it('ends at its timeout or at a disconnect, with the missing part', async () => {
    const behind: Seen = { indexed: 8, lagMs: 0, graph: false };
    expect(await awaitWith([behind], {}, { waitMs: 0 })).to.include({ index: false, graph: false, polls: 1 });
    expect(await awaitWith([behind], { signal: AbortSignal.abort() })).to.include({
      index: false,
      graph: false,
      polls: 1,
    });
  });

  it('rejects a position above the head of the journal', async () => {
    const refusal = await awaitWith([there], { position: HEAD + 1 }).catch((error: Error) => error);
    expect(refusal).to.include({ code: 'validation', field: 'consistent_with' });
  });

  it('reports neither part while the journal does not answer', async () => {
    const down = () => Promise.reject(new DependencyError('journal', 'down'));
    const hangs = () => new Promise<never>(() => undefined);
    for (const [head, waitMs] of [
      [down, LONG_MS],
      [hangs, 0],
    ] as const) {
      const awaitPosition = createAwaitPosition({
        journal: { head, ageAfter: async () => null, read: async () => [] },
        graph: graphWith(1),
        progress: async () => ({ indexed: HEAD, isRunning: true }),
        indexStateAt: bySavedPosition,
        logger: silentLogger,
      });
      const awaited = { position: 1, reads: 'graph', waitMs, signal: new AbortController().signal } as const;
      expect(await awaitPosition(awaited)).to.include({ index: false, graph: false });
    }
  });
});

describe('consistent read', () => {
  const context = { signal: new AbortController().signal } as RequestContext;
  const steps: string[] = [];
  let shownHead: (Consistency & { readonly position: number }) | null = null;
  const consistently = createConsistentRead({
    awaitPosition: async ({ position, waitMs }) => {
      steps.push(`awaits ${position} for ${waitMs} ms`);
      return { index: false, graph: true, waitedMs: 12.345, hasWaited: true };
    },
    awaitHead: async () => {
      steps.push('awaits the head');
      return shownHead;
    },
    waitMs: 50,
  });
  const read = consistently('graph', async (_request, awaitIndex): Promise<BodyReply<object>> => {
    await Promise.all([awaitIndex(), awaitIndex()]);
    steps.push('reads');
    return { status: 200, body: { status: 'success' } };
  });

  it('starts after the wait for its position and reports its consistency', async () => {
    const { body } = await read({ query: { consistent_with: 7 }, context });
    expect(steps.splice(0)).to.deep.equal(['awaits 7 for 50 ms', 'reads']);
    expect(body).to.deep.equal({
      status: 'success',
      consistency: { position: 7, index: false, graph: true, waited_ms: 12.35 },
    });
  });

  it('waits once for the head when it reads the index, and reports a wait only', async () => {
    shownHead = null;
    expect((await read({ query: {}, context })).body).to.deep.equal({ status: 'success' });
    expect(steps.splice(0)).to.deep.equal(['awaits the head', 'reads']);
    shownHead = { position: 9, index: true, graph: true, waitedMs: 40, hasWaited: true };
    expect((await read({ query: {}, context })).body).to.deep.equal({
      status: 'success',
      consistency: { position: 9, index: true, graph: true, waited_ms: 40 },
    });
    expect(steps.splice(0)).to.deep.equal(['awaits the head', 'reads']);
  });

  it('does not wait for the head when it reads no index', async () => {
    const plain = consistently('graph', async () => ({ status: 200, body: {} }));
    expect((await plain({ query: {}, context })).body).to.deep.equal({});
    expect(steps).to.deep.equal([]);
  });
});
