/**
 * GET /overview: counts for a first look. Tags and entities are those of the newest memories, because Neo4j takes
 * more than a second to count those of 100,000.
 */
import { ENTITY_CATEGORIES, type EntityKey } from '../../shared/contract/entities/entity.js';
import { OVERVIEW_TAGGED, OVERVIEW_TOP } from '../../shared/contract/graph-views/whole-graph.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import { entityKeyOf, entityName, entityTag } from '../../shared/entities/entity-key.js';
import type { Handler } from '../../shared/http/handler.js';
import { type Clock, formatTimestamp } from '../../shared/kernel/clock.js';
import { shareRuns } from '../../shared/kernel/concurrency/share-runs.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { GraphInspector, TagCount } from '../../shared/ports/graph-inspector.js';
import { readLastDays, sumOf } from './graph-stats.js';

/** An answer is repeated for this time: 5 seconds. */
export const OVERVIEW_KEPT_MS = 5_000;
/** Entities that are read: some of them may be merged into others. */
const ENTITIES_READ = 3 * OVERVIEW_TOP;

type Overview = ReplyOf<'readOverview'>;
type Dependencies = {
  readonly graph: Pick<GraphReader, 'entities'>;
  readonly inspector: Pick<GraphInspector, 'totals' | 'spread' | 'newestTagCounts'>;
  readonly clock: Clock;
};

export function createReadOverview(dependencies: Dependencies): Handler<'readOverview'> {
  const { clock } = dependencies;
  let kept: { readonly at: number; readonly body: Overview } | null = null;
  const current = shareRuns(async (): Promise<Overview> => {
    const at = clock.now().getTime();
    // A clock that was set back makes no answer last longer.
    if (kept !== null && at >= kept.at && at - kept.at < OVERVIEW_KEPT_MS) return kept.body;
    kept = { at, body: await readOverview(dependencies) };
    return kept.body;
  });
  return async () => ({ status: 200, body: await current() });
}

async function readOverview({ graph, inspector, clock }: Dependencies): Promise<Overview> {
  const now = clock.now();
  const [{ memories, associations }, { byDay }, counts] = await Promise.all([
    inspector.totals(),
    readLastDays(inspector, now),
    inspector.newestTagCounts(OVERVIEW_TAGGED),
  ]);
  const tags = counts.filter(({ tag }) => entityOf(tag) === null).slice(0, OVERVIEW_TOP);
  return {
    status: 'success',
    read_at: formatTimestamp(now),
    memories: sumOf(memories),
    associations: sumOf(associations),
    by_type: Object.fromEntries(memories),
    added: byDay,
    tagged: Math.min(sumOf(memories), OVERVIEW_TAGGED),
    top_tags: tags.map(({ tag, uses }) => ({ tag, memories: uses })),
    top_entities: await readEntities(graph, counts),
  };
}

async function readEntities(
  graph: Dependencies['graph'],
  counts: readonly TagCount[],
): Promise<Overview['top_entities']> {
  const named = counts
    .flatMap(({ tag, uses }) => {
      const key = entityOf(tag);
      return key === null ? [] : [{ tag, uses, key }];
    })
    .slice(0, ENTITIES_READ);
  const loaded = named.length === 0 ? [] : await graph.entities(named.map(({ key }) => key));
  const records = new Map(loaded.map(({ entity }) => [entityTag(entity), entity]));
  return named
    .filter(({ tag }) => records.get(tag)?.merged_into === undefined)
    .slice(0, OVERVIEW_TOP)
    .map(({ tag, uses, key: { category, slug } }) => ({
      tag,
      name: records.get(tag)?.name ?? entityName(slug),
      category,
      memories: uses,
    }));
}

/** Null for a tag that GET /entities does not show. */
function entityOf(tag: string): EntityKey | null {
  const key = entityKeyOf(tag);
  return key !== null && ENTITY_CATEGORIES.some((category) => category === key.category) ? key : null;
}
