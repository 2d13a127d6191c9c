/**
 * Derives the progress of each projector from the states that its instances last saved, so that every process reports
 * the same.
 */
import { PROJECTOR_NAMES } from '../contract/projector-names.js';
import type { JournalReader, ProjectorState, ProjectorStates } from '../ports/journal.js';
import { fleetOf, isAlive } from './projector-fleet.js';

/** How far a projector is behind the journal. */
export type Lag = { readonly events: number; readonly seconds: number };

export type ObservedProjector = {
  readonly name: string;
  /** `stopped`: no instance sends heartbeats. `paused`: an operator has paused it. */
  readonly status: 'running' | 'paused' | 'stopped';
  readonly position: number;
  readonly lag: Lag;
  readonly instances: readonly ObservedInstance[];
};

export type ObservedInstance = ProjectorState & { readonly status: 'running' | 'paused' | 'stopped' | 'silent' };

/**
 * The caller reads `states` before this function reads the head of the journal, so that no position is above the head.
 */
export async function observeProjectors(
  states: readonly ProjectorState[],
  {
    journal,
    projectorStates,
  }: {
    readonly journal: Pick<JournalReader, 'ageAfter' | 'head'>;
    readonly projectorStates: Pick<ProjectorStates, 'paused'>;
  },
): Promise<{ readonly head: number; readonly projectors: readonly ObservedProjector[] }> {
  const [paused, head] = await Promise.all([projectorStates.paused(), journal.head()]);
  const projectors = await Promise.all(
    PROJECTOR_NAMES.map(async (name): Promise<ObservedProjector> => {
      const instances = states
        .filter((state) => state.name === name)
        .map((state) => ({ ...state, status: statusOf(state) }));
      const position = fleetOf(name, states).furthestBehind?.position ?? 0;
      return {
        name,
        status: !instances.some(isAlive) ? 'stopped' : paused.has(name) ? 'paused' : 'running',
        position,
        lag: await readLag(journal, { position, head }),
        instances,
      };
    }),
  );
  return { head, projectors };
}

function statusOf(state: ProjectorState): ObservedInstance['status'] {
  if (state.stopped) return 'stopped';
  if (!isAlive(state)) return 'silent';
  return state.paused ? 'paused' : 'running';
}

/**
 * `seconds`: the age of the oldest event after the position. Positions may have gaps, so `events` is an upper bound.
 */
async function readLag(
  journal: Pick<JournalReader, 'ageAfter'>,
  { position, head }: { readonly position: number; readonly head: number },
): Promise<Lag> {
  if (position >= head) return { events: 0, seconds: 0 };
  const waitedMs = (await journal.ageAfter(position)) ?? 0;
  return { events: head - position, seconds: Math.max(0, Math.round(waitedMs / 100) / 10) };
}
