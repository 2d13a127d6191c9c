/**
 * Combines the states of all instances of one projector: whether any instance runs, and how far they are together. Each
 * instance processes its own part of the events, so the instance that is furthest behind determines the progress of
 * all.
 */
import type { JournalReader, ProjectorState } from '../ports/journal.js';

/**
 * An instance with an older heartbeat is not alive. Instances send heartbeats every PROJECTOR_STATE_SAVE_MS, which is
 * far below.
 */
export const HEARTBEAT_TIMEOUT_MS = 15_000;
/** For states without `takeoverMs`: the default of KAFKA_SESSION_TIMEOUT_MS (30 s) plus the time of a rebalance. */
const TAKEOVER_MS = 45_000;

export type Fleet = {
  /** At least one instance is alive and not paused. */
  readonly isRunning: boolean;
  /**
   * The instance that is furthest behind; null without any instance. While no instance is alive: among the instances
   * that were alive last.
   */
  readonly furthestBehind: ProjectorState | null;
};

export function fleetOf(name: string, states: readonly ProjectorState[]): Fleet {
  const instances = states.filter((state) => state.name === name);
  const alive = instances.filter(isAlive);
  const responsible = instances.filter((state) => !state.stopped && state.heartbeatAgeMs < takeoverMsOf(state));
  const considered = alive.length > 0 ? responsible : lastAlive(instances);
  const [last = null] = [...considered].sort((one, other) => one.position - other.position);
  return { isRunning: alive.some(({ paused }) => !paused), furthestBehind: last };
}

/** An instance is alive with a recent heartbeat and without an orderly shutdown. */
export function isAlive({ stopped, heartbeatAgeMs }: ProjectorState): boolean {
  return !stopped && heartbeatAgeMs < HEARTBEAT_TIMEOUT_MS;
}

/** The newest error of all instances. */
export function lastErrorOf(states: readonly ProjectorState[]): Pick<ProjectorState, 'lastError' | 'lastErrorAt'> {
  const failed = states.filter(({ lastErrorAt }) => lastErrorAt !== null);
  const [newest = null] = [...failed].sort((one, other) =>
    (one.lastErrorAt ?? '') < (other.lastErrorAt ?? '') ? 1 : -1,
  );
  return { lastError: newest?.lastError ?? null, lastErrorAt: newest?.lastErrorAt ?? null };
}

function lastAlive(instances: readonly ProjectorState[]): readonly ProjectorState[] {
  const youngestMs = Math.min(...instances.map(({ heartbeatAgeMs }) => heartbeatAgeMs));
  return instances.filter(({ heartbeatAgeMs }) => heartbeatAgeMs - youngestMs < HEARTBEAT_TIMEOUT_MS);
}

/** The age that the first event after the position of an instance had at its last heartbeat. */
export async function lagAtHeartbeat(
  { position, heartbeatAgeMs }: ProjectorState,
  journal: Pick<JournalReader, 'ageAfter'>,
): Promise<number> {
  const ageMs = await journal.ageAfter(position);
  return ageMs === null ? 0 : Math.max(0, ageMs - heartbeatAgeMs);
}

/** At least HEARTBEAT_TIMEOUT_MS, because an alive instance keeps its part of the events. */
function takeoverMsOf({ takeoverMs = TAKEOVER_MS }: ProjectorState): number {
  return Math.max(takeoverMs, HEARTBEAT_TIMEOUT_MS);
}
