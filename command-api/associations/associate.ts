/** POST /associate: the single form, or the batch form where `associations` is an array. */
import { associationSubject } from '../../shared/contract/association.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { Handler, ReplyFor } from '../../shared/http/handler.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { CommandHandling } from '../command-handling.js';
import { type AssociationState, decideAssociate, decideAssociations } from './decide-associate.js';
import {
  type AssociationDraft,
  draftAssociation,
  draftAssociations,
  ENDS_MISSING,
  type ItemDraft,
} from './draft-association.js';

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

/**
 * Without drafts it does not read the graph: a batch without a valid item gets its answer even when the graph is down.
 */
async function load(drafts: readonly AssociationDraft[], graph: Graph): Promise<AssociationState> {
  if (drafts.length === 0) return { present: new Set(), associations: new Map() };
  const ends = [...new Set(drafts.flatMap(({ source, target }) => [source, target]))];
  const [memories, associations] = await Promise.all([graph.memories(ends), graph.associations(drafts)]);
  return {
    present: new Set(memories.map(({ memory }) => memory.id)),
    associations: new Map(associations.map((loaded) => [associationSubject(loaded.association), loaded])),
  };
}

/**
 * Builds the answers of POST /associate from the request and its events alone, so that a repeated request gets the same
 * answer.
 */
export function associateAnswer({
  source,
  target,
  type,
  strength,
  properties,
}: AssociationDraft): ReplyFor<'associate'> {
  return {
    status: 201,
    body: {
      status: 'success',
      message: `Association created between ${source} and ${target}`,
      relation_type: type,
      strength,
      ...properties,
    },
  };
}

type Succeeded = ReplyOf<'associate', 207>['succeeded'][number];
type Failed = ReplyOf<'associate', 207>['failed'][number];

/** A valid draft without an event has missing memories: there is no other reason. */
export function associateBatchAnswer(
  items: readonly ItemDraft[],
  events: readonly RecordedEvent[],
): ReplyFor<'associate'> {
  const subjects = new Set(events.map(({ subject }) => subject));
  const results = items.map((item, index): Succeeded | Failed => {
    if ('reason' in item) return { index, reason: item.reason };
    const { source, target, type, strength } = item.draft;
    if (!subjects.has(associationSubject(item.draft))) return { index, reason: ENDS_MISSING };
    return { index, memory1_id: source, memory2_id: target, relation_type: type, strength };
  });
  const succeeded = results.filter((result): result is Succeeded => !('reason' in result));
  const failed = results.filter((result) => 'reason' in result);
  return {
    status: failed.length === 0 ? 201 : 207,
    body: {
      status: failed.length === 0 ? 'success' : 'partial_success',
      created_count: succeeded.length,
      failed_count: failed.length,
      succeeded,
      failed,
      summary: `${succeeded.length}/${items.length} associations created successfully`,
    },
  };
}
