/**
 * POST /enrichment/reprocess: has memories enriched again, in rounds that are commands of their own. A round is small, as the memories named
 * may be those that are being enriched now, and one of them that moves has its whole round decided again.
 */
import { createHash } from 'node:crypto';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Handler, RequestContext } from '../../shared/http/handler.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import type { Identity } from '../create-command-runner.js';
import type { CommandHandling } from '../handle.js';
import { decideReprocess } from './decide-reprocess.js';
import { draftReprocess } from './draft-reprocess.js';

export const REPROCESS_ROUND = 25;

export type ReprocessDeps = { readonly commands: CommandHandling; readonly graph: Pick<GraphReader, 'memories'> };

/** What is not there, or is no id at all, is echoed and nothing else comes of it. */
export function createReprocess({ commands, graph }: ReprocessDeps): Handler<'reprocess'> {
  async function reprocess(named: readonly string[], context: RequestContext): Promise<void> {
    const ids = [...new Set(named.flatMap((id) => parseMemoryId(id) ?? []))];
    for (let from = 0; from < ids.length; from += REPROCESS_ROUND) {
      await commands.run(identityOf(context, from / REPROCESS_ROUND), {
        load: () => graph.memories(ids.slice(from, from + REPROCESS_ROUND)),
        decide: (loaded) => decideReprocess(loaded, commands.facts(context, loaded.length)),
      });
    }
  }

  return async ({ body, query, context }) => {
    const ids = draftReprocess(body, query);
    await commands.inFlight(context.commandKey, () => reprocess(ids, context));
    return { status: 202, body: { status: 'queued', count: ids.length, ids } };
  };
}

/** A key of the request becomes one for each round; which memories a round holds is fixed by the request. */
function identityOf({ commandKey, requestHash }: RequestContext, round: number): Identity {
  if (commandKey === null) return { key: null, fingerprint: null };
  return {
    key: { key: createHash('sha256').update(`${commandKey}:${round}`).digest('hex'), requestHash },
    fingerprint: null,
  };
}
