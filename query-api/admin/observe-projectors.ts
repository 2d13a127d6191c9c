/** Derives the progress of each projector from the states that its instances last saved, so that every process reports the same. */
import { PROJECTOR_NAMES } from '../../shared/contract/projector-names.js';
import type { JournalReader, ProjectorState, ProjectorStates } from '../../shared/journal/journal.js';
import { fleetOf, isAlive } from '../../shared/journal/projector-fleet.js';

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

/** The caller reads `states` before this function reads the head of the journal, so that no position is above the head. */
export async function observeProjectors(
  states: readonly ProjectorState[],
  {
    journal,
    projectorStates,
    now,
  }: {
    readonly journal: Pick<JournalReader, 'read' | 'head'>;
    readonly projectorStates: Pick<ProjectorStates, 'paused'>;
    readonly now: Date;
  },
): Promise<{ readonly head: number; readonly projectors: readonly ObservedProjector[] }> {
  const [paused, head] = await Promise.all([projectorStates.paused(), journal.head()]);
  const projectors = await Promise.all(
    PROJECTOR_NAMES.map(async (name): Promise<ObservedProjector> => {
      const instances = states
        .filter((state) => state.name === name)
        .map((state) => ({ ...state, status: statusOf(state, now) }));
      const position = fleetOf(name, states, now).furthestBehind?.position ?? 0;
      return {
        name,
        status: !instances.some((state) => isAlive(state, now)) ? 'stopped' : paused.has(name) ? 'paused' : 'running',
        position,
        lag: await readLag(journal, { position, head, now }),
        instances,
      };
    }),
  );
  return { head, projectors };
}

function statusOf(state: ProjectorState, now: Date): ObservedInstance['status'] {
  if (state.stopped) return 'stopped';
  if (!isAlive(state, now)) return 'silent';
  return state.paused ? 'paused' : 'running';
}

/** `seconds`: the age of the oldest event after the position. Positions may have gaps, so `events` is an upper bound. */
async function readLag(
  journal: Pick<JournalReader, 'read'>,
  {
    position,
    head,
    now,
  }: {
    readonly position: number;
    readonly head: number;
    readonly now: Date;
  },
): Promise<Lag> {
  if (position >= head) return { events: 0, seconds: 0 };
  const [oldest] = await journal.read({ after: position, limit: 1 });
  const waitedMs = oldest === undefined ? 0 : now.getTime() - Date.parse(oldest.time);
  return { events: head - position, seconds: Math.max(0, Math.round(waitedMs / 100) / 10) };
}
