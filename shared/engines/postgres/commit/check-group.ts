/**
 * Checks each command of a group by the locked subjects and keys. Pure. Commands are checked in order, each on the
 * state after the accepted commands before it, so a refused command changes nothing for the others.
 */
import type { Command } from '../../../ports/committer.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';
import { type Refusal, refusalOf, stateAfter, type SubjectState, UNKNOWN_SUBJECT } from '../../sql/refusal-of.js';

export type PositionRange = { readonly first: number; readonly last: number };

export type KnownKey = PositionRange & { readonly requestHash: string };

export type Verdict =
  | { readonly kind: 'accepted' }
  | Refusal
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'repeated'; readonly range: PositionRange }
  /** An earlier command of the same group has the same key. */
  | { readonly kind: 'repeated_here'; readonly accepted: PreparedCommand };

export type LockedState = {
  readonly subjects: ReadonlyMap<string, SubjectState>;
  readonly keys: ReadonlyMap<string, KnownKey>;
};

/** Returns one verdict for each command, in order. */
export function checkGroup(commands: readonly PreparedCommand[], { subjects, keys }: LockedState): readonly Verdict[] {
  const changed = new Map<string, SubjectState>();
  const keyed = new Map<string, PreparedCommand>();
  const stateOf = (subject: string): SubjectState => changed.get(subject) ?? subjects.get(subject) ?? UNKNOWN_SUBJECT;
  return commands.map((command) => {
    const refusal = earlierOf(command, keys, keyed) ?? refusalOf(command, stateOf);
    if (refusal) return refusal;
    for (const event of command.events) changed.set(event.subject, stateAfter(event));
    if (command.key) keyed.set(command.key.key, command);
    return { kind: 'accepted' };
  });
}

function earlierOf(
  { key }: Command,
  known: LockedState['keys'],
  keyed: ReadonlyMap<string, PreparedCommand>,
): Verdict | null {
  if (!key) return null;
  const here = keyed.get(key.key);
  const before = known.get(key.key);
  const requestHash = here?.key?.requestHash ?? before?.requestHash;
  if (requestHash === undefined) return null;
  if (requestHash !== key.requestHash) return { kind: 'key_reused' };
  if (here) return { kind: 'repeated_here', accepted: here };
  return before ? { kind: 'repeated', range: { first: before.first, last: before.last } } : null;
}
