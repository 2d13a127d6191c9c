/**
 * The sweeper's work on events that the graph failed to apply: their next attempts, and the redrives that operators
 * request.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { COMMIT_LETTERS } from '../../../contract/projector-names.js';
import type { DeadLetters } from '../../../ports/journal.js';
import type { Rejected } from './apply-parts.js';
import { claimFailed, countDeadFailures, finishDead } from './failed-rows.js';
import type { GraphGuard } from './graph-guard.js';
import { pendingOfSubjects, releasePending } from './pending-rows.js';
import { type RollForwardDeps, settle } from './roll-forward.js';

/**
 * Rolls claimed events forward. While the graph is down it ends the leases, so that the first process that reaches the
 * graph claims them.
 */
export async function rollClaimed(deps: RollForwardDeps, events: readonly RecordedEvent[]): Promise<void> {
  const positions = events.map(({ position }) => position);
  const rejected = await applyReachable(deps.guard, events, () => releasePending(deps.postgres, positions));
  await settle(deps, events, rejected);
}

/** Tries one event alone whose next attempt is due. Returns false when there is none. */
export async function retryOne(
  deps: RollForwardDeps,
  claim: { readonly owner: string; readonly leaseMs: number },
): Promise<boolean> {
  const event = await claimFailed(deps.postgres, claim);
  if (event) await rollClaimed(deps, [event]);
  return event !== undefined;
}

/**
 * Takes one requested redrive and tries all dead letters of its subject in order, because a later event of a subject
 * waits for an earlier one. Returns false when no redrive is requested.
 */
export async function redriveOne(
  { postgres, guard, logger }: RollForwardDeps,
  letters: Pick<DeadLetters, 'takeRedrives' | 'requestRedrive'>,
): Promise<boolean> {
  const [letter] = await letters.takeRedrives(COMMIT_LETTERS, 1);
  if (!letter) return false;
  const dead = (await pendingOfSubjects(postgres, [letter.subject])).filter((pending) => pending.letter !== null);
  const events = dead.map(({ event }) => event);
  const rejected = await applyReachable(guard, events, () => letters.requestRedrive([letter.id]));
  await finishDead(
    postgres,
    events.filter(({ position }) => !rejected.has(position)).map(({ id }) => id),
  );
  await countDeadFailures(postgres, rejected);
  logger.info({ subject: letter.subject, events: events.length, failed: rejected.size }, 'dead letters redriven');
  return true;
}

/**
 * Applies events. Where the graph does not answer about them, but answers a ping, the events are to blame, and all of
 * them count as rejected. Otherwise it calls `onDown` and throws.
 */
async function applyReachable(
  guard: GraphGuard,
  events: readonly RecordedEvent[],
  onDown: () => Promise<void>,
): Promise<Rejected> {
  try {
    return await guard.apply(events);
  } catch (error) {
    try {
      await guard.probe();
    } catch {
      await onDown();
      throw error;
    }
    return guard.reject(events, error);
  }
}
