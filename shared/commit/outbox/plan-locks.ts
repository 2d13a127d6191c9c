/** What a group of commands is judged by, and how each subject of it is held until the group is committed. Pure. */
import type { MemoryId } from '../../contract/memory.js';
import type { PreparedCommand } from '../prepare-command.js';
import { needed } from '../refusal-of.js';

/** `fresh`: may be new, so it is made at version 0 where there is none. `keep`: must only stay as it is. */
export type Hold = 'fresh' | 'change' | 'keep';
export type Wish = { readonly subject: string; readonly hold: Hold };

export type Locks = {
  readonly keys: readonly string[];
  readonly wishes: readonly Wish[];
  /** Memories that the group deletes, with all their associations. */
  readonly leaving: readonly MemoryId[];
};

const STRENGTH: Readonly<Record<Hold, number>> = { keep: 0, change: 1, fresh: 2 };

export function planLocks(commands: readonly PreparedCommand[]): Locks {
  const holds = new Map<string, Hold>();
  const keys = new Set<string>();
  const leaving = new Set<MemoryId>();
  const hold = (subject: string, wanted: Hold): void => {
    const held = holds.get(subject);
    if (held === undefined || STRENGTH[held] < STRENGTH[wanted]) holds.set(subject, wanted);
  };

  for (const { events, requires, key } of commands) {
    if (key) keys.add(key.key);
    for (const memoryId of requires) hold(memoryId, 'keep');
    for (const event of events) {
      hold(event.subject, event.version === 1 ? 'fresh' : 'change');
      for (const memoryId of needed(event)) hold(memoryId, 'keep');
      if (event.type === 'memory.deleted') leaving.add(event.subject as MemoryId);
    }
  }
  return {
    keys: [...keys],
    wishes: [...holds].map(([subject, wanted]) => ({ subject, hold: wanted })),
    leaving: [...leaving],
  };
}
