/** The commands of operators for dead letters (redrive, discard) and for projectors (pause, resume). */
import { type EventType, SCHEMA_VERSIONS } from '../../shared/contract/events.js';
import { DEAD_LETTERS_LIMIT } from '../../shared/contract/limits.js';
import { COMMIT_LETTERS, PROJECTOR_NAMES, RELAY_LETTERS } from '../../shared/contract/projector-names.js';
import type { Handlers, ReplyFor } from '../../shared/http/handler.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import type { DeadLetter, DeadLetters, JournalReader, ProjectorStates } from '../../shared/ports/journal.js';

/** Events with a new state. `memory.enrichment.failed` has none: it reports the failure of the dead letter itself. */
const STATE_EVENTS = (Object.keys(SCHEMA_VERSIONS) as EventType[]).filter(
  (type) => type !== 'memory.enrichment.failed',
);

/** Their events are on their way to the graph or to the stream. */
const HELD: readonly string[] = [COMMIT_LETTERS, RELAY_LETTERS];

type Operation = 'redriveDeadLetters' | 'discardDeadLetters' | 'pauseProjector' | 'resumeProjector';

export function createAdministerProjectors({
  deadLetters,
  journal,
  projectorStates,
}: {
  readonly deadLetters: Pick<DeadLetters, 'get' | 'list' | 'requestRedrive' | 'discard'>;
  readonly journal: Pick<JournalReader, 'read'>;
  readonly projectorStates: Pick<ProjectorStates, 'setPaused'>;
}): Handlers<Operation> {
  /** The dead letters with the given ids, or the oldest ones of a projector. `unknown`: ids without a dead letter. */
  async function select({ ids, projector }: { readonly ids?: readonly number[]; readonly projector?: string }) {
    if ((ids === undefined) === (projector === undefined))
      throw new ValidationError("Give either 'ids' or 'projector'", 'ids');
    if (ids === undefined) {
      const chosen = { ...(projector !== undefined && { projector }), afterId: 0, limit: DEAD_LETTERS_LIMIT };
      return { letters: await deadLetters.list(chosen), unknown: [] };
    }
    const letters = await deadLetters.get(ids);
    const found = new Set(letters.map(({ id }) => id));
    return { letters, unknown: [...new Set(ids)].filter((id) => !found.has(id)) };
  }

  async function isSuperseded({ projector, subject, position }: DeadLetter): Promise<boolean> {
    // Without this event the graph would miss a change, and the stream an event.
    if (HELD.includes(projector)) return false;
    return (await journal.read({ after: position, subject, types: STATE_EVENTS, limit: 1 })).length > 0;
  }

  /** The request is stored next to the journal; every instance follows it within a second. */
  async function setPaused(name: string, paused: boolean): Promise<ReplyFor<'pauseProjector' | 'resumeProjector'>> {
    if (!(PROJECTOR_NAMES as readonly string[]).includes(name))
      throw new NotFoundError(`There is no projector of that name; there are ${PROJECTOR_NAMES.join(' and ')}`);
    await projectorStates.setPaused(name, paused);
    return { status: 200, body: { status: 'success', name, paused } };
  }

  return {
    /** A letter whose subject has a newer event, with the whole state, is superseded and discarded. */
    redriveDeadLetters: async ({ body }) => {
      const { letters, unknown } = await select(body);
      const superseded: number[] = [];
      for (const letter of letters) if (await isSuperseded(letter)) superseded.push(letter.id);
      const ids = letters.map(({ id }) => id).filter((id) => !superseded.includes(id));
      await deadLetters.discard(superseded);
      await deadLetters.requestRedrive(ids);
      return { status: 202, body: { status: 'queued', count: ids.length, ids, superseded, unknown } };
    },
    /** The journal keeps their events. Those on their way to graph and stream are refused: they are only redriven. */
    discardDeadLetters: async ({ body }) => {
      const { letters, unknown } = await select(body);
      const committed = letters.find(({ projector }) => HELD.includes(projector));
      if (committed)
        throw new ValidationError(
          `Dead letter ${committed.id} of '${committed.projector}' is a committed change and cannot be discarded: redrive it`,
          'ids',
        );
      const ids = letters.map(({ id }) => id);
      await deadLetters.discard(ids);
      return { status: 200, body: { status: 'discarded', count: ids.length, ids, unknown } };
    },
    pauseProjector: ({ params: { name } }) => setPaused(name, true),
    resumeProjector: ({ params: { name } }) => setPaused(name, false),
  };
}
