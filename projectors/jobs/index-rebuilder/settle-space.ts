/**
 * Follows the journal into the new index until every process uses it: until then the vector indexers of some processes
 * write into the index before the switch only. Then compares graph and index once more.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { followEvents } from './follow-events.js';
import { isProven, proveParity } from './prove-parity.js';
import type { RebuildRun } from './rebuild-ports.js';
import { atStep, type RebuildState } from './rebuild-state.js';

const POLL_MS = 200;
const SETTLE_MS = 60_000;

export async function settleSpace(begun: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const deadline = performance.now() + (run.settleMs ?? SETTLE_MS);
  let state = begun;
  /** The head of the journal when every process used the new index. What a process had in hand then is older. */
  let head: number | null = null;
  while (head === null || state.checkpoint.position < head) {
    const behind = head === null ? await stillBehind(run) : [];
    if (head === null && behind.length === 0) head = await run.journal.head();
    state = await followEvents(state, run);
    if (performance.now() >= deadline) {
      run.logger.warn({ behind, ...state.checkpoint }, 'some processes do not use the new vector index yet');
      break;
    }
    if (head === null || state.checkpoint.position < head) await pause(POLL_MS, undefined, { signal: run.signal });
  }
  return atStep(await proveAgain(state, run), 'done');
}

async function stillBehind({ spaces, space: { number } }: RebuildRun): Promise<readonly string[]> {
  return (await spaces.followers()).filter((one) => one.number !== number).map(({ instance }) => instance);
}

/**
 * Also finds the events that a dead letter held back until after the journal was followed. The drift repairer repairs
 * what is left.
 */
async function proveAgain(state: RebuildState, run: RebuildRun): Promise<RebuildState> {
  const proven = await proveParity(state, run);
  const { parity } = proven.progress;
  if (parity !== null && !isProven(parity)) run.logger.warn({ parity }, 'the new vector index differs from the graph');
  return proven;
}
