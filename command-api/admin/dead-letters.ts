/**
 * POST /admin/dead-letters/redrive and /discard: the commands for events that a projector, or the commit, could not
 * process.
 */
import { type EventType, SCHEMA_VERSIONS } from '../../shared/contract/events.js';
import { DEAD_LETTERS_LIMIT } from '../../shared/contract/limits.js';
import { COMMIT_LETTERS } from '../../shared/contract/projector-names.js';
import type { Handler } from '../../shared/http/handler.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import type { DeadLetter, DeadLetters, JournalReader } from '../../shared/ports/journal.js';

/**
 * Types of events with a new state of their subject. `memory.enrichment.failed` has none: it reports the failure of the
 * dead letter itself.
 */
const STATE_EVENTS = (Object.keys(SCHEMA_VERSIONS) as EventType[]).filter(
  (type) => type !== 'memory.enrichment.failed',
);

/**
 * Requests another attempt for dead letters. A letter whose subject has a newer event is superseded, because every
 * event carries the whole state: it is discarded, and the answer lists it.
 */
export function createRedriveDeadLetters({
  deadLetters,
  journal,
}: {
  readonly deadLetters: Pick<DeadLetters, 'get' | 'list' | 'requestRedrive' | 'discard'>;
  readonly journal: Pick<JournalReader, 'read'>;
}): Handler<'redriveDeadLetters'> {
  async function isSuperseded({ projector, subject, position }: DeadLetter): Promise<boolean> {
    // Without this event the graph would miss a change, and the stream an event.
    if (projector === COMMIT_LETTERS) return false;
    return (await journal.read({ after: position, subject, types: STATE_EVENTS, limit: 1 })).length > 0;
  }

  return async ({ body }) => {
    const { letters, unknown } = await selectDeadLetters(deadLetters, body);
    const superseded: number[] = [];
    for (const letter of letters) if (await isSuperseded(letter)) superseded.push(letter.id);
    const ids = letters.map(({ id }) => id).filter((id) => !superseded.includes(id));
    await deadLetters.discard(superseded);
    await deadLetters.requestRedrive(ids);
    return { status: 202, body: { status: 'queued', count: ids.length, ids, superseded, unknown } };
  };
}

/**
 * Discards dead letters; the journal keeps their events. Refuses those of the commit: their events are committed, and
 * only redriven.
 */
export function createDiscardDeadLetters({
  deadLetters,
}: {
  readonly deadLetters: Pick<DeadLetters, 'get' | 'list' | 'discard'>;
}): Handler<'discardDeadLetters'> {
  return async ({ body }) => {
    const { letters, unknown } = await selectDeadLetters(deadLetters, body);
    const committed = letters.find(({ projector }) => projector === COMMIT_LETTERS);
    if (committed)
      throw new ValidationError(
        `Dead letter ${committed.id} of '${COMMIT_LETTERS}' is a committed change and cannot be discarded: redrive it`,
        'ids',
      );
    const ids = letters.map(({ id }) => id);
    await deadLetters.discard(ids);
    return { status: 200, body: { status: 'discarded', count: ids.length, ids, unknown } };
  };
}

type SelectedDeadLetters = {
  readonly letters: readonly DeadLetter[];
  /** Requested ids without a dead letter. */
  readonly unknown: readonly number[];
};

/** Returns the dead letters with the given ids, or the oldest ones of a projector. */
async function selectDeadLetters(
  deadLetters: Pick<DeadLetters, 'get' | 'list'>,
  { ids, projector }: { readonly ids?: readonly number[]; readonly projector?: string },
): Promise<SelectedDeadLetters> {
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
