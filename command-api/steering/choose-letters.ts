/** The dead letters that a request means: those it names, or the oldest of a projector. */
import { DEAD_LETTERS_LIMIT } from '../../shared/contract/limits.js';
import type { DeadLetter, DeadLetters } from '../../shared/journal/journal.js';
import { ValidationError } from '../../shared/kernel/errors.js';

export type ChosenLetters = {
  readonly letters: readonly DeadLetter[];
  /** Named, and not there (any more). */ readonly unknown: readonly number[];
};

export async function chooseLetters(
  deadLetters: Pick<DeadLetters, 'get' | 'list'>,
  { ids, projector }: { readonly ids?: readonly number[]; readonly projector?: string },
): Promise<ChosenLetters> {
  if ((ids === undefined) === (projector === undefined))
    throw new ValidationError("Give either 'ids' or 'projector'", 'ids');
  if (ids === undefined)
    return {
      letters: await deadLetters.list({
        ...(projector !== undefined && { projector }),
        afterId: 0,
        limit: DEAD_LETTERS_LIMIT,
      }),
      unknown: [],
    };
  const letters = await deadLetters.get(ids);
  const found = new Set(letters.map(({ id }) => id));
  return { letters, unknown: [...new Set(ids)].filter((id) => !found.has(id)) };
}
