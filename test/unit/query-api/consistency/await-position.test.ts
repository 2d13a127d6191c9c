import { expect } from 'chai';
import {
  type Consistency,
  createAwaitPosition,
  type PositionWait,
} from '../../../../query-api/consistency/await-position.js';
import { createConsistentRead } from '../../../../query-api/consistency/consistent-read.js';
import type { IndexStateAt } from '../../../../query-api/consistency/index-state.js';
import type { ReadPositions } from '../../../../query-api/consistency/progress.js';
import type { Reply, RequestContext } from '../../../../shared/http/handler.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';

const HEAD = 9;
/** Longer than any wait in a test: a part that cannot arrive ends the wait immediately. */
const LONG_MS = 60_000;
const there: ReadPositions = { indexed: HEAD, indexLagMs: 0, shownInGraph: HEAD };

const bySavedPosition: IndexStateAt = async (indexed, position) => (indexed >= position ? 'indexed' : 'behind');

/** Returns one element after the other, and then the last one repeatedly. */
async function awaitWith(
  seen: readonly ReadPositions[],
  asked: Partial<PositionWait> = {},
  { waitMs = LONG_MS, indexStateAt = bySavedPosition } = {},
): Promise<Consistency & { readonly looks: number }> {
  let polls = 0;
  const look = async (): Promise<ReadPositions> => seen[Math.min(polls++, seen.length - 1)] ?? there;
  const awaitPosition = createAwaitPosition({
    journal: { head: async () => HEAD },
    progress: look,
    indexStateAt,
    waitMs,
    logger: silentLogger,
  });
  const consistency = await awaitPosition({
    position: HEAD,
    reads: 'index_and_graph',
    signal: new AbortController().signal,
    ...asked,
  });
  return { ...consistency, looks: polls };
}

describe('await position', () => {
  it('polls once when index and graph show the position', async () => {
    expect(await awaitWith([there])).to.include({ index: true, graph: true, looks: 1 });
    expect(await awaitWith([{ ...there, indexed: 4, indexLagMs: 10 }], { position: 4 })).to.include({
      index: true,
      looks: 1,
    });
  });

  it('waits for both index and graph', async () => {
    const behind: ReadPositions = { indexed: 8, indexLagMs: 3, shownInGraph: 8 };
    expect(await awaitWith([behind, { ...behind, shownInGraph: HEAD }, there])).to.include({
      index: true,
      graph: true,
      looks: 3,
    });
    expect(await awaitWith([behind, { ...behind, indexed: HEAD }, there])).to.include({
      index: true,
      graph: true,
      looks: 3,
    });
  });

  it('does not wait for an index that cannot arrive in time', async () => {
    expect(await awaitWith([{ ...there, indexed: 8, indexLagMs: null }])).to.include({
      index: false,
      graph: true,
      looks: 1,
    });
    expect(await awaitWith([{ ...there, indexed: 8, indexLagMs: LONG_MS * 2 }])).to.include({
      index: false,
      graph: true,
      looks: 1,
    });
    const stopped: ReadPositions = { indexed: 8, indexLagMs: null, shownInGraph: 8 };
    expect(
      await awaitWith([stopped, stopped, { ...stopped, shownInGraph: HEAD }]),
      'the graph may still arrive',
    ).to.include({
      index: false,
      graph: true,
      looks: 3,
    });
  });

  it('does not wait for a memory that the index could not take', async () => {
    const behind: ReadPositions = { indexed: 8, indexLagMs: 3, shownInGraph: HEAD };
    const found = await awaitWith([behind], {}, { indexStateAt: async () => 'dead_lettered' });
    expect(found).to.include({ index: false, graph: true, looks: 1 });
  });

  it('waits only for the graph when the index is not read, and reports both', async () => {
    expect(await awaitWith([{ ...there, indexed: 8 }], { reads: 'graph' })).to.include({
      index: false,
      graph: true,
      looks: 1,
    });
  });

  it('ends at its timeout or at a disconnect, with the missing part', async () => {
    const behind: ReadPositions = { indexed: 8, indexLagMs: 0, shownInGraph: 8 };
    expect(await awaitWith([behind], {}, { waitMs: 0 })).to.include({ index: false, graph: false, looks: 1 });
    expect(await awaitWith([behind], { signal: AbortSignal.abort() })).to.include({
      index: false,
      graph: false,
      looks: 1,
    });
  });

  it('rejects a position above the head of the journal', async () => {
    const refusal = await awaitWith([there], { position: HEAD + 1 }).catch((error: Error) => error);
    expect(refusal).to.include({ code: 'validation', field: 'consistent_with' });
  });

  it('reports neither part while the journal does not answer', async () => {
    const head = () => Promise.reject(new DependencyError('journal', 'down'));
    const awaitPosition = createAwaitPosition({
      journal: { head },
      progress: async () => there,
      indexStateAt: bySavedPosition,
      waitMs: LONG_MS,
      logger: silentLogger,
    });
    expect(await awaitPosition({ position: 1, reads: 'graph', signal: new AbortController().signal })).to.include({
      index: false,
      graph: false,
    });
  });
});

describe('consistent read', () => {
  const context = { signal: new AbortController().signal } as RequestContext;
  const steps: string[] = [];
  const consistently = createConsistentRead(async ({ position }) => {
    steps.push(`awaits ${position}`);
    return { index: false, graph: true, waitedMs: 12.345 };
  });
  const read = consistently('graph', async (): Promise<Reply> => {
    steps.push('reads');
    return { status: 200, body: { status: 'success' } };
  });

  it('starts after the wait and reports its consistency', async () => {
    const { body } = await read({ query: { consistent_with: 7 }, context });
    expect(steps.splice(0)).to.deep.equal(['awaits 7', 'reads']);
    expect(body).to.deep.equal({
      status: 'success',
      consistency: { position: 7, index: false, graph: true, waited_ms: 12.35 },
    });
  });

  it('is a plain read without the parameter', async () => {
    expect((await read({ query: {}, context })).body).to.deep.equal({ status: 'success' });
    expect(steps.splice(0)).to.deep.equal(['reads']);
  });
});
