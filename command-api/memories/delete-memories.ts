/** DELETE /memory/:id and /memory/by-tag. The event alone also removes associations and content. */
import type { NewEvent, RecordedEvent } from '../../shared/contract/events.js';
import { BULK_DELETE_ROUND } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler, ReplyFor, RequestContext } from '../../shared/http/handler.js';
import type { GraphReader, LoadedMemory } from '../../shared/ports/graph.js';
import { wholeTagKey } from '../../shared/text/tags.js';
import { type CommandHandling, roundIdentity, withReceipt } from '../command-handling.js';
import {
  type Decision,
  type Facts,
  type IfMatch,
  memoryEvent,
  NOTHING_CHANGES,
  oneEvent,
  readVisible,
  requirePresent,
} from '../decision.js';

export type DeleteByTagDeps = {
  readonly commands: CommandHandling;
  readonly graph: Pick<GraphReader, 'memories' | 'idsByTag'>;
};

const PAGE = 1_000;

/**
 * Deletes the memories that have one of the tags when the request begins, in rounds that are commands with keys of
 * their own. The key of the last round is marked: a repeated request sums up the committed rounds, and continues when
 * it is missing.
 */
export function createDeleteByTag({ commands, graph }: DeleteByTagDeps): Handler<'deleteByTag'> {
  /** Returns what earlier requests with the same key committed. */
  async function earlierRounds(context: RequestContext): Promise<Rounds> {
    const found = async (round: string): Promise<readonly RecordedEvent[] | null> => {
      const { events, state } = await commands.run(roundIdentity(context, round), {
        load: () => Promise.resolve([]),
        decide: () => NOTHING_CHANGES,
      });
      return state === undefined ? events : null;
    };
    let total: Total = { deleted: 0, last: undefined };
    for (let rounds = 0; context.commandKey !== null; rounds++) {
      const ending = await found(lastOf(rounds));
      if (ending !== null) return { ...added(total, ending), rounds, isComplete: true };
      const events = await found(String(rounds));
      if (events === null) return { ...total, rounds, isComplete: false };
      total = added(total, events);
    }
    return { ...total, rounds: 0, isComplete: false };
  }

  async function deleteTagged(tags: readonly string[], context: RequestContext): Promise<Total> {
    const before = await earlierRounds(context);
    if (before.isComplete) return before;
    const ids = await idsOf({ tags, within: context.tag }, graph);
    let total: Total = before;
    for (let from = 0, number = before.rounds; from < ids.length; from += BULK_DELETE_ROUND, number++) {
      const round = from + BULK_DELETE_ROUND < ids.length ? String(number) : lastOf(number);
      const { events } = await commands.run(roundIdentity(context, round), {
        load: () => readVisible(graph, ids.slice(from, from + BULK_DELETE_ROUND), context),
        decide: (loaded) => decideDeleteTagged(loaded, tags, commands.facts(context, loaded.length)),
      });
      total = added(total, events);
    }
    return total;
  }

  return async ({ query: { tags = [] }, context }) => {
    commands.requireWholeGraph();
    const { deleted, last } = await commands.inFlight(context.commandKey, () => deleteTagged(tags, context));
    return withReceipt<ReplyFor<'deleteByTag'>>(
      { status: 200, body: { status: 'success', tags, deleted_count: deleted } },
      last,
    );
  };
}

type Total = { readonly deleted: number; readonly last: RecordedEvent | undefined };
type Rounds = Total & { readonly rounds: number; readonly isComplete: boolean };

function added({ deleted, last }: Total, events: readonly RecordedEvent[]): Total {
  return { deleted: deleted + events.length, last: events.at(-1) ?? last };
}

function lastOf(round: number): string {
  return `${round}:last`;
}

type Tagged = Pick<Parameters<GraphReader['idsByTag']>[0], 'tags' | 'within'>;

/** Reads all ids at the beginning, so that memories stored later stay. */
async function idsOf(tagged: Tagged, graph: Pick<GraphReader, 'idsByTag'>): Promise<readonly MemoryId[]> {
  const ids: MemoryId[] = [];
  for (let after = ''; ;) {
    const page = await graph.idsByTag({ ...tagged, after, limit: PAGE });
    ids.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return ids;
    after = last;
  }
}

export type DeleteDeps = { readonly commands: CommandHandling; readonly graph: Pick<GraphReader, 'memories'> };

export function createDeleteMemory({ commands, graph }: DeleteDeps): Handler<'deleteMemory'> {
  return async ({ params: { id }, context }) =>
    commands.handle(context, {
      memoryId: id,
      load: async () => (await readVisible(graph, [id], context))[0],
      decide: (loaded) => decideDelete(loaded, { ...commands.facts(context, 1), ifMatch: context.ifMatch }),
      answer: () => ({ status: 200, body: { status: 'success', memory_id: id } }),
    });
}

export function decideDelete(loaded: LoadedMemory | undefined, facts: Facts & IfMatch): Decision {
  return oneEvent(deletion(requirePresent(loaded, facts), 0, facts));
}

/** Deletes the loaded memories that still have one of the tags: a memory that lost the tag since the search stays. */
export function decideDeleteTagged(loaded: readonly LoadedMemory[], tags: readonly string[], facts: Facts): Decision {
  const wanted = new Set(tags.map(wholeTagKey));
  const tagged = loaded.filter(({ memory }) => memory.tags.some((tag) => wanted.has(wholeTagKey(tag))));
  return { events: tagged.map((one, index) => deletion(one, index, facts)), requires: [], vectors: [] };
}

function deletion(loaded: LoadedMemory, index: number, facts: Facts): NewEvent {
  return memoryEvent({ facts, loaded, index, isByCaller: true }, { type: 'memory.deleted', data: {} });
}
