/**
 * What the states of one projector's instances come to, pure: whether any runs, and how far they are together. Each instance answers for
 * its own share of the events alone, so the one that is furthest behind says how far all are.
 */
import type { ProjectorState } from './journal.js';

/** Older signs of life are none. Instances give one every PROJECTOR_STATE_SAVE_MS, which is well below. */
export const SIGN_OF_LIFE_MS = 15_000;
/** For states that do not say it: with the default of KAFKA_SESSION_TIMEOUT_MS, 30 s, and the time to share out anew. */
const TAKEOVER_MS = 45_000;

export type Fleet = {
  /** Some instance is alive and not paused. */
  readonly isRunning: boolean;
  /** The one furthest behind; null when there never was any. While none is alive, of those that were alive together last. */
  readonly last: ProjectorState | null;
};

export function fleetOf(name: string, states: readonly ProjectorState[], now: Date): Fleet {
  const instances = states.filter((state) => state.name === name);
  const heardWithin = (limitMs: (state: ProjectorState) => number): readonly ProjectorState[] =>
    instances.filter((state) => !state.stopped && silenceMs(state, now.getTime()) < limitMs(state));
  const alive = heardWithin(() => SIGN_OF_LIFE_MS);
  const counting = alive.length > 0 ? heardWithin(shareKeptMs) : lastAlive(instances);
  const [last = null] = [...counting].sort((one, other) => one.position - other.position);
  return { isRunning: alive.some(({ paused }) => !paused), last };
}

function lastAlive(instances: readonly ProjectorState[]): readonly ProjectorState[] {
  const newest = Math.max(...instances.map(({ heartbeatAt }) => Date.parse(heartbeatAt)));
  return instances.filter((state) => silenceMs(state, newest) < SIGN_OF_LIFE_MS);
}

/** What counts as alive answers for its share, however soon another could have it. */
function shareKeptMs({ takeoverMs = TAKEOVER_MS }: ProjectorState): number {
  return Math.max(takeoverMs, SIGN_OF_LIFE_MS);
}

function silenceMs({ heartbeatAt }: ProjectorState, at: number): number {
  return at - Date.parse(heartbeatAt);
}
