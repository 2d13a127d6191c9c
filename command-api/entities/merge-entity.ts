/** POST /entity/:slug/merge: one command, then rounds that move tags. A repeat continues with the rest. */
import { ENTITY_CATEGORIES, type EntityKey, SLUG_LENGTH } from '../../shared/contract/entities/entity.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import { readEntityCategory } from '../../shared/entities/entity.js';
import { entityKeyOf, entityName, entityTag } from '../../shared/entities/entity-key.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import type { Handler, ReplyFor, RequestContext } from '../../shared/http/handler.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import { shorten } from '../../shared/kernel/shorten.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { GraphInspector } from '../../shared/ports/graph-inspector.js';
import { type CommandHandling, roundIdentity, withReceipt } from '../command-handling.js';
import { type Decision, type Facts, NOTHING_CHANGES } from '../decision.js';
import {
  decideMerge,
  decideMove,
  endOfMerges,
  followMerges,
  mergesOf,
  type MergeState,
  readRecords,
  readSourceMemories,
} from './decide-merge.js';

/** Memories in one command. */
const ROUND = 100;

export type MergeDeps = {
  readonly commands: CommandHandling;
  readonly graph: Pick<GraphReader, 'memories' | 'idsByTag' | 'entities'>;
  readonly inspector: Pick<GraphInspector, 'tagUsesOf'>;
};

export function createMergeEntity({ commands, graph, inspector }: MergeDeps): Handler<'mergeEntity'> {
  /** The most referenced entity with the slug. Null when no tag and no record has it. */
  async function find(slug: string, category: string | undefined): Promise<EntityKey | null> {
    const keys = keysOf(slug, category);
    if (keys.length === 0) return null;
    const [used, records] = await Promise.all([inspector.tagUsesOf(keys.map(entityTag)), graph.entities(keys)]);
    return entityKeyOf(used[0]?.tag ?? '') ?? records[0]?.entity ?? null;
  }

  /** `path`: from the source to the entity before the target, along the merges so far. */
  async function load(source: EntityKey, target: EntityKey): Promise<Omit<Loaded, 'sourceMemories'>> {
    const records = await readRecords([source, target], graph);
    const [from, into] = [endOfMerges(source, records), endOfMerges(target, records)];
    return { source: from, target: into, records, path: pathBetween(source, into, records) };
  }

  /** In rounds of the memories that still have the tag, so no committed round is repeated. */
  async function move(
    source: EntityKey,
    target: EntityKey,
    context: RequestContext,
  ): Promise<readonly RecordedEvent[]> {
    const moved: RecordedEvent[] = [];
    for (let round = 0; ; round++) {
      const { events } = await commands.run(roundIdentity(context, `${mergeKey(source)}:${round}`), {
        load: async () => {
          const records = await followMerges([source], graph);
          const isMerged = records.get(mergeKey(source))?.entity.merged_into !== undefined; // until a request undoes it
          const ids = isMerged ? await graph.idsByTag({ tags: [entityTag(source)], after: '', limit: ROUND }) : [];
          return { merges: mergesOf([source], records), memories: await graph.memories(ids) };
        },
        decide: ({ merges, memories }) =>
          decideMove(memories, { source, target, merges }, commands.facts(context, memories.length)),
      });
      if (events.length === 0) return moved;
      moved.push(...events);
    }
  }

  return async ({ params: { slug }, query: { category }, body, context }) => {
    const into = body.merge_into;
    if (typeof into !== 'string' || into.trim() === '')
      throw new ValidationError("'merge_into' slug is required", 'merge_into');
    commands.requireWholeGraph();
    const source = await find(slug, category);
    if (source === null) throw new NotFoundError(`Entity '${shorten(slug)}' not found`);
    const target = await find(into, category);
    if (target === null) throw new NotFoundError(`Target entity '${shorten(into)}' not found`);
    return commands.inFlight(context.commandKey, async () => {
      const { events } = await commands.run(roundIdentity(context, 'merge'), {
        load: async () => {
          const loaded = await load(source, target);
          return { ...loaded, sourceMemories: await readSourceMemories(loaded.source, graph) };
        },
        decide: (state) => decideUnlessMerged(state, commands.facts(context, 2)),
      });
      const { path, target: canonical } = await load(source, target);
      const moved: RecordedEvent[] = [];
      for (const key of path) moved.push(...(await move(key, canonical, context)));
      const alias = path.at(-1) ?? source;
      const merge = {
        canonical: canonical.slug,
        alias: entityName(alias.slug),
        alias_slug: alias.slug,
        edges_moved: moved.length,
      };
      return withReceipt<ReplyFor<'mergeEntity'>>(
        { status: 200, body: { status: 'success', merge } },
        moved.at(-1) ?? events.at(-1),
      );
    });
  };
}

/** Every entity that the slug may name; none for a text that is no slug or no category. */
export function keysOf(slug: string, category: string | undefined): readonly EntityKey[] {
  const wanted = slug.trim().toLowerCase();
  if (wanted === '' || wanted.length > SLUG_LENGTH) return [];
  const categories =
    category === undefined ? ENTITY_CATEGORIES : [readEntityCategory(category)].filter((one) => one !== null);
  return categories.map((one) => ({ category: one, slug: wanted }));
}

type Loaded = MergeState & { readonly path: readonly EntityKey[] };

/** An earlier request merged the two when the path is not empty and both are the same now. */
function decideUnlessMerged(state: Loaded, facts: Facts): Decision {
  if (mergeKey(state.source) !== mergeKey(state.target)) return decideMerge(state, facts);
  if (state.path.length > 0) return NOTHING_CHANGES;
  throw new ValidationError('Source and target entity must be different', 'merge_into');
}

/** Without the target; empty when the source is the target. Ends at an entity that was not merged. */
export function pathBetween(
  source: EntityKey,
  target: EntityKey,
  records: MergeState['records'],
): readonly EntityKey[] {
  const path: EntityKey[] = [];
  for (let key = source; mergeKey(key) !== mergeKey(target);) {
    path.push(key);
    const into = records.get(mergeKey(key))?.entity.merged_into;
    if (into === undefined) return path;
    key = into;
  }
  return path;
}
