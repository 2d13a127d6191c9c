import { expect } from 'chai';
import {
  createAwaitPosition,
  type Awaited,
  type Consistency,
} from '../../../query-api/consistency/create-await-position.js';
import { createConsistently } from '../../../query-api/consistency/create-consistently.js';
import type { Seen } from '../../../query-api/consistency/create-progress.js';
import type { Reply, RequestContext } from '../../../shared/http/handler.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';

const HEAD = 9;
/** Nobody waits that long in a test: what is not hoped for ends at once. */
const LONG_MS = 60_000;
const there: Seen = { indexed: HEAD, indexLagMs: 0, shown: HEAD };

const bySavedPosition = async (indexed: number, position: number): Promise<boolean> => indexed >= position;

/** Sees one after the other, and the last again and again. */
async function awaited(
  seen: readonly Seen[],
  asked: Partial<Awaited> = {},
  waitMs = LONG_MS,
): Promise<Consistency & { readonly looks: number }> {
  let looks = 0;
  const look = async (): Promise<Seen> => seen[Math.min(looks++, seen.length - 1)] ?? there;
  const awaitPosition = createAwaitPosition({
    journal: { head: async () => HEAD },
    progress: look,
    isIndexed: bySavedPosition,
    waitMs,
    logger: silentLogger,
  });
  const consistency = await awaitPosition({
    position: HEAD,
    reads: 'index_and_graph',
    signal: new AbortController().signal,
    ...asked,
  });
  return { ...consistency, looks };
}

describe('waiting for a position', () => {
  it('asks once when everything is there', async () => {
    expect(await awaited([there])).to.include({ index: true, graph: true, looks: 1 });
    expect(await awaited([{ ...there, indexed: 4, indexLagMs: 10 }], { position: 4 })).to.include({
      index: true,
      looks: 1,
    });
  });

  it('waits for index and graph, whichever is later', async () => {
    const behind: Seen = { indexed: 8, indexLagMs: 3, shown: 8 };
    expect(await awaited([behind, { ...behind, shown: HEAD }, there])).to.include({
      index: true,
      graph: true,
      looks: 3,
    });
    expect(await awaited([behind, { ...behind, indexed: HEAD }, there])).to.include({
      index: true,
      graph: true,
      looks: 3,
    });
  });

  it('does not wait for an index that cannot come in time', async () => {
    expect(await awaited([{ ...there, indexed: 8, indexLagMs: null }])).to.include({
      index: false,
      graph: true,
      looks: 1,
    });
    expect(await awaited([{ ...there, indexed: 8, indexLagMs: LONG_MS * 2 }])).to.include({
      index: false,
      graph: true,
      looks: 1,
    });
    const stopped: Seen = { indexed: 8, indexLagMs: null, shown: 8 };
    expect(await awaited([stopped, stopped, { ...stopped, shown: HEAD }]), 'the graph may still come').to.include({
      index: false,
      graph: true,
      looks: 3,
    });
  });

  it('waits for the graph alone where the index is not read, and tells of both', async () => {
    expect(await awaited([{ ...there, indexed: 8 }], { reads: 'graph' })).to.include({
      index: false,
      graph: true,
      looks: 1,
    });
  });

  it('ends with its time and with the caller, and says what is not there', async () => {
    const behind: Seen = { indexed: 8, indexLagMs: 0, shown: 8 };
    expect(await awaited([behind], {}, 0)).to.include({ index: false, graph: false, looks: 1 });
    expect(await awaited([behind], { signal: AbortSignal.abort() })).to.include({
      index: false,
      graph: false,
      looks: 1,
    });
  });

  it('refuses a position that the journal does not have', async () => {
    const refusal = await awaited([there], { position: HEAD + 1 }).catch((error: Error) => error);
    expect(refusal).to.include({ code: 'validation', field: 'consistent_with' });
  });

  it('says that nothing is known while the journal does not answer', async () => {
    const head = () => Promise.reject(new DependencyError('journal', 'down'));
    const awaitPosition = createAwaitPosition({
      journal: { head },
      progress: async () => there,
      isIndexed: bySavedPosition,
      waitMs: LONG_MS,
      logger: silentLogger,
    });
    expect(await awaitPosition({ position: 1, reads: 'graph', signal: new AbortController().signal })).to.include({
      index: false,
      graph: false,
    });
  });
});

describe('a consistent read', () => {
  const context = { signal: new AbortController().signal } as RequestContext;
  const steps: string[] = [];
  const consistently = createConsistently(async ({ position }) => {
    steps.push(`awaits ${position}`);
    return { index: false, graph: true, waitedMs: 12.345 };
  });
  const read = consistently('graph', async (): Promise<Reply> => {
    steps.push('reads');
    return { status: 200, body: { status: 'success' } };
  });

  it('begins when the wait is over, and says what it waited for', async () => {
    const { body } = await read({ query: { consistent_with: 7 }, context });
    expect(steps.splice(0)).to.deep.equal(['awaits 7', 'reads']);
    expect(body).to.deep.equal({
      status: 'success',
      consistency: { position: 7, index: false, graph: true, waited_ms: 12.35 },
    });
  });

  it('is a plain read when nobody asks for it', async () => {
    expect((await read({ query: {}, context })).body).to.deep.equal({ status: 'success' });
    expect(steps.splice(0)).to.deep.equal(['reads']);
  });
});
