/**
 * Plans the locks of a group: the keys and subjects that it is checked by, and how each subject is locked until the
 * commit. Pure.
 */
import type { MemoryId } from '../../../contract/memory.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';
import { requiredMemories } from '../../sql/refusal-of.js';

/**
 * `fresh`: may be new, so the lock creates it at version 0 if it is absent. `change`: gets a new version. `keep`: must
 * stay as it is.
 */
export type LockMode = 'fresh' | 'change' | 'keep';
export type LockRequest = { readonly subject: string; readonly hold: LockMode };

export type Locks = {
  readonly keys: readonly string[];
  readonly requests: readonly LockRequest[];
  /** Memories that the group deletes, with all their associations. */
  readonly deleting: readonly MemoryId[];
};

const STRENGTH: Readonly<Record<LockMode, number>> = { keep: 0, change: 1, fresh: 2 };

export function planLocks(commands: readonly PreparedCommand[]): Locks {
  const holds = new Map<string, LockMode>();
  const keys = new Set<string>();
  const deleting = new Set<MemoryId>();
  const hold = (subject: string, wanted: LockMode): void => {
    const held = holds.get(subject);
    if (held === undefined || STRENGTH[held] < STRENGTH[wanted]) holds.set(subject, wanted);
  };

  for (const { events, requires, unchanged = [], key } of commands) {
    if (key) keys.add(key.key);
    for (const memoryId of requires) hold(memoryId, 'keep');
    for (const { subject } of unchanged) hold(subject, 'keep');
    for (const event of events) {
      hold(event.subject, event.version === 1 ? 'fresh' : 'change');
      for (const memoryId of requiredMemories(event)) hold(memoryId, 'keep');
      if (event.type === 'memory.deleted') deleting.add(event.subject as MemoryId);
    }
  }
  return {
    keys: [...keys],
    requests: [...holds].map(([subject, wanted]) => ({ subject, hold: wanted })),
    deleting: [...deleting],
  };
}
