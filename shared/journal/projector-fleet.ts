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
  const alive = instances.filter((state) => isAlive(state, now));
  const answering = instances.filter((state) => !state.stopped && silenceMs(state, now.getTime()) < shareKeptMs(state));
  const counting = alive.length > 0 ? answering : lastAlive(instances);
  const [last = null] = [...counting].sort((one, other) => one.position - other.position);
  return { isRunning: alive.some(({ paused }) => !paused), last };
}

/** It gave a sign of life lately, and has not said that it ends. */
export function isAlive(state: ProjectorState, now: Date): boolean {
  return !state.stopped && silenceMs(state, now.getTime()) < SIGN_OF_LIFE_MS;
}

/** The newest error that any of them met. */
export function lastErrorOf(states: readonly ProjectorState[]): Pick<ProjectorState, 'lastError' | 'lastErrorAt'> {
  const failed = states.filter(({ lastErrorAt }) => lastErrorAt !== null);
  const [newest = null] = [...failed].sort((one, other) =>
    (one.lastErrorAt ?? '') < (other.lastErrorAt ?? '') ? 1 : -1,
  );
  return { lastError: newest?.lastError ?? null, lastErrorAt: newest?.lastErrorAt ?? null };
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
