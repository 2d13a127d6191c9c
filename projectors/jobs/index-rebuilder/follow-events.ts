/**
 * Writes the events of the journal since the last one into the index that is being built, up to those that the graph
 * and the stream have.
 */
import { MEMORY_EVENTS, type RecordedEvent } from '../../../shared/contract/events.js';
import { withoutUnapplied } from '../../../shared/integrity/replay/without-unapplied.js';
import { throttled } from '../../../shared/kernel/concurrency/throttled.js';
import { type Deletion, newestStates } from '../../vector-indexer/newest-states.js';
import type { Repair } from '../../vector-indexer/vector-indexer.js';
import type { RebuildPorts, RebuildRun } from './rebuild-ports.js';
import { counted, type RebuildState, withRefused } from './rebuild-state.js';
import { writeStates } from './write-states.js';

/** Each event may have 900 KB. */
const FOLLOW_PAGE = 200;

export async function followEvents(begun: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const through = await publishedThrough(run);
  let state = begun;
  while (state.checkpoint.position < through) {
    run.signal.throwIfAborted();
    const after = state.checkpoint.position;
    const page = await run.journal.read({ after, through, limit: FOLLOW_PAGE, types: MEMORY_EVENTS });
    const refused = await throttled(run, async () => writeStates(await statesOf(page, run), run));
    state = withRefused(counted(state, { followed: page.length }), refused);
    state = { ...state, checkpoint: { ...state.checkpoint, position: page.at(-1)?.position ?? through } };
    await run.save(state);
  }
  return state;
}

/** The graph and the stream have every event up to here, apart from those that wait for a dead letter of the commit. */
export async function publishedThrough({ outbox, journal }: Pick<RebuildPorts, 'outbox' | 'journal'>): Promise<number> {
  return outbox === undefined ? journal.head() : (await outbox.publishedThrough()).position;
}

async function statesOf(
  page: readonly RecordedEvent[],
  { outbox, graph }: RebuildRun,
): Promise<Pick<Repair, 'states' | 'deletions'>> {
  const { states, deletions } = newestStates(await withoutUnapplied(page, outbox?.unapplied));
  return { states, deletions: await withoutReturned(deletions, graph) };
}

/**
 * A later event of a memory that returned writes its point. Its deletion must not release the vector that it uses
 * since.
 */
async function withoutReturned(
  deletions: readonly Deletion[],
  graph: RebuildRun['graph'],
): Promise<readonly Deletion[]> {
  if (deletions.length === 0) return deletions;
  const present = new Set((await graph.memories(deletions.map(({ id }) => id))).map(({ memory }) => memory.id));
  return deletions.filter(({ id }) => !present.has(id));
}
