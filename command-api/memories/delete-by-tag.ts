/**
 * DELETE /memory/by-tag: deletes the memories that have one of the tags when the request begins. It deletes them in
 * rounds; each round is a separate command. Each round has its own key, derived from the request's key, and the last
 * round's key is marked. A repeated request sums up the committed rounds and continues after them only when the last
 * round is missing.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { BULK_DELETE_ROUND } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Handler, ReplyFor, RequestContext } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import { type CommandHandling, roundIdentity, withReceipt } from '../command-handling.js';
import { NOTHING_CHANGES } from '../decision.js';
import { decideDeleteTagged } from './decide-delete.js';

export type DeleteByTagDeps = {
  readonly commands: CommandHandling;
  readonly graph: Pick<GraphReader, 'memories' | 'idsByTag'>;
};

const PAGE = 1_000;

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
    const ids = await idsOf(tags, graph);
    let total: Total = before;
    for (let from = 0, number = before.rounds; from < ids.length; from += BULK_DELETE_ROUND, number++) {
      const round = from + BULK_DELETE_ROUND < ids.length ? String(number) : lastOf(number);
      const { events } = await commands.run(roundIdentity(context, round), {
        load: () => graph.memories(ids.slice(from, from + BULK_DELETE_ROUND)),
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

/** Reads all ids at the beginning, so that memories stored later stay. */
async function idsOf(tags: readonly string[], graph: Pick<GraphReader, 'idsByTag'>): Promise<readonly MemoryId[]> {
  const ids: MemoryId[] = [];
  for (let after = ''; ;) {
    const page = await graph.idsByTag({ tags, after, limit: PAGE });
    ids.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return ids;
    after = last;
  }
}
