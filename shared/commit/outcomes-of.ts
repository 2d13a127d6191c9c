/** What a call of several commands resolves or rejects with, once each command's fate is known. */
import { DependencyError } from '../kernel/errors.js';
import type { Outcome } from './committer.js';

/** A command that broke in the engine, while the others of its group stand. */
export type Failed = { readonly kind: 'failed'; readonly error: Error };

/** A caller takes a rejection for all of its commands, so one that leaves some of them standing has an unknown outcome. */
export function outcomesOf(fates: readonly PromiseSettledResult<Outcome | Failed>[]): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  const failures: unknown[] = [];
  for (const fate of fates) {
    if (fate.status === 'rejected') failures.push(fate.reason);
    else if (fate.value.kind === 'failed') failures.push(fate.value.error);
    else outcomes.push(fate.value);
  }
  if (failures.length === 0) return outcomes;
  const unknown = failures.find((failure) => failure instanceof DependencyError && failure.outcomeUnknown);
  if (unknown === undefined && outcomes.some(({ kind }) => kind === 'committed')) {
    throw new DependencyError(
      'journal',
      'Some of these changes stand and others do not: read them again before you repeat any',
      {
        cause: failures[0],
        outcomeUnknown: true,
      },
    );
  }
  throw unknown ?? failures[0];
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
