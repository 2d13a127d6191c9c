/** How each projector is getting on, from what its instances last told of themselves: whoever is asked says the same. */
import { PROJECTOR_NAMES } from '../../shared/contract/projector-names.js';
import type { JournalReader, ProjectorState, ProjectorStates } from '../../shared/journal/journal.js';
import { fleetOf, SIGN_OF_LIFE_MS } from '../../shared/journal/projector-fleet.js';
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

export async function observeProjectors({ journal, projectorStates }: {
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly projectorStates: Pick<ProjectorStates, 'list' | 'paused'>;
}, now: Date): Promise<{ readonly head: number; readonly projectors: readonly ObservedProjector[] }> {
  // The head last: no position read before lies beyond it.
  const [states, paused] = await Promise.all([projectorStates.list(), projectorStates.paused()]);
  const head = await journal.head();
  const projectors = await Promise.all(PROJECTOR_NAMES.map(async (name): Promise<ObservedProjector> => {
    const instances = states.filter((state) => state.name === name).map((state) => ({ ...state, status: statusOf(state, now) }));
    const position = fleetOf(name, states, now).last?.position ?? 0;
    const isAlive = instances.some(({ status }) => status === 'running' || status === 'paused');
    return {
      name,
      status: !isAlive ? 'stopped' : paused.has(name) ? 'paused' : 'running',
      position,
      lag: await readLag(journal, { position, head, now }),
      instances,
    };
  }));
  return { head, projectors };
}

function statusOf({ stopped, paused, heartbeatAt }: ProjectorState, now: Date): ObservedInstance['status'] {
  if (stopped) return 'stopped';
  if (now.getTime() - Date.parse(heartbeatAt) >= SIGN_OF_LIFE_MS) return 'silent';
  return paused ? 'paused' : 'running';
}
