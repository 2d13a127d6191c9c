/** POST /associate: the single form, or the batch form where `associations` is an array. */
import { associationSubject } from '../../shared/contract/association.js';
import type { Handler } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { CommandHandling } from '../command-handling.js';
import { associateAnswer, associateBatchAnswer } from './associate-answer.js';
import { type AssociationState, decideAssociate, decideAssociations } from './decide-associate.js';
import { type AssociationDraft, draftAssociation, draftAssociations } from './draft-association.js';

type Graph = Pick<GraphReader, 'memories' | 'associations'>;
export type AssociateDeps = { readonly commands: CommandHandling; readonly graph: Graph };

export function createAssociate({ commands, graph }: AssociateDeps): Handler<'associate'> {
  const { handle, facts, requireWholeGraph } = commands;
  return async ({ body, context }) => {
    const fields: Readonly<Record<string, unknown>> = body;
    if (Array.isArray(fields['associations'])) {
      const items = draftAssociations(fields['associations']);
      requireWholeGraph();
      const drafts = items.flatMap((item) => ('draft' in item ? item.draft : []));
      return handle(context, {
        load: () => load(drafts, graph),
        decide: (state) => decideAssociations(state, drafts, facts(context, drafts.length)),
        answer: (events) => associateBatchAnswer(items, events),
      });
    }
    const draft = draftAssociation(fields);
    return handle(context, {
      load: () => load([draft], graph),
      decide: (state) => decideAssociate(state, draft, facts(context, 1)),
      answer: () => associateAnswer(draft),
    });
  };
}

/** Without drafts it does not read the graph: a batch without a valid item gets its answer even when the graph is down. */
async function load(drafts: readonly AssociationDraft[], graph: Graph): Promise<AssociationState> {
  if (drafts.length === 0) return { present: new Set(), associations: new Map() };
  const ends = [...new Set(drafts.flatMap(({ source, target }) => [source, target]))];
  const [memories, associations] = await Promise.all([graph.memories(ends), graph.associations(drafts)]);
  return {
    present: new Set(memories.map(({ memory }) => memory.id)),
    associations: new Map(associations.map((loaded) => [associationSubject(loaded.association), loaded])),
  };
}
