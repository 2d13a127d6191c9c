/** How each projector is getting on, from what its instances last told of themselves: whoever is asked says the same. */
import { PROJECTOR_NAMES } from '../../shared/contract/projector-names.js';
import type { JournalReader, ProjectorState, ProjectorStates } from '../../shared/journal/journal.js';
import { fleetOf, isAlive } from '../../shared/journal/projector-fleet.js';
import { readLag, type Lag } from './read-lag.js';

export type ObservedProjector = {
  readonly name: string;
  /** `stopped`: no instance gives a sign of life. `paused`: somebody wants it to stand still. */
  readonly status: 'running' | 'paused' | 'stopped';
  readonly position: number;
  readonly lag: Lag;
  readonly instances: readonly ObservedInstance[];
};

export type ObservedInstance = ProjectorState & { readonly status: 'running' | 'paused' | 'stopped' | 'silent' };

/** `states` as they were a moment ago: read before the head of the journal, so that no position lies beyond it. */
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
      const position = fleetOf(name, states, now).last?.position ?? 0;
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
