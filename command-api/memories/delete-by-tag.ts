/**
 * DELETE /memory/by-tag: what holds one of the tags when the request begins is deleted in rounds, each a command of its own. A key of
 * the request becomes one key a round, so that a repeat finds the rounds that were committed and goes on behind them.
 */
import { createHash } from 'node:crypto';
import { BULK_DELETE_ROUND } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import type { Run } from '../create-command-runner.js';
import type { CommandHandling } from '../handle.js';
import { decideDeleteTagged } from './decide-delete.js';

export type DeleteByTagDeps = { readonly commands: CommandHandling; readonly graph: Pick<GraphReader, 'memories' | 'idsByTag'> };

const PAGE = 1_000;

export function createDeleteByTag({ commands, graph }: DeleteByTagDeps): Handler<'deleteByTag'> {
  const runRound = (round: { ids: readonly MemoryId[]; tags: readonly string[]; number: number }, context: RequestContext) =>
    commands.run({ key: roundKey(context, round.number), fingerprint: null }, {
      load: () => (round.ids.length > 0 ? graph.memories(round.ids) : Promise.resolve([])),
      decide: (loaded) => decideDeleteTagged(loaded, round.tags, commands.facts(context, loaded.length)),
    });

  async function deleteTagged(tags: readonly string[], context: RequestContext): Promise<number> {
    const ids = await idsOf(tags, graph);
    let taken = 0;
    let deleted = 0;
    for (let number = 0; ; ) {
      const round = ids.slice(taken, taken + BULK_DELETE_ROUND);
      const { events, state }: Run<unknown> = await runRound({ ids: round, tags, number }, context);
      const isRepeat = state === undefined;
      if (!isRepeat && round.length === 0) return deleted;
      if (!isRepeat) taken += round.length;
      if (events.length > 0) number += 1;
      deleted += events.length;
    }
  }

  return async ({ query: { tags = [] }, context }) => {
    const deleted = await commands.inFlight(context.commandKey, () => deleteTagged(tags, context));
    return { status: 200, body: { status: 'success', tags, deleted_count: deleted } };
  };
}

/** All of them at the beginning, so that what is stored meanwhile stays. */
async function idsOf(tags: readonly string[], graph: Pick<GraphReader, 'idsByTag'>): Promise<readonly MemoryId[]> {
  const ids: MemoryId[] = [];
  for (let after = ''; ; ) {
    const page = await graph.idsByTag({ tags, after, limit: PAGE });
    ids.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return ids;
    after = last;
  }
}

function roundKey({ commandKey, requestHash }: RequestContext, number: number): { key: string; requestHash: string } | null {
  if (commandKey === null) return null;
  return { key: createHash('sha256').update(`${commandKey}:${number}`).digest('hex'), requestHash };
}
