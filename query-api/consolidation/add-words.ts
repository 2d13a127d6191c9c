/**
 * Adds the words to the result of a consolidation. The job and the history keep ids only, so that they hold no words of
 * a memory or an entity that is deleted later. A deleted memory has an empty preview.
 */
import { PREVIEW_LENGTH } from '../../shared/contract/consolidation/consolidate.js';
import { CANDIDATES_EXAMINED, ENTITY_CATEGORIES, type EntityKey } from '../../shared/contract/entities/entity.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import { entityId, entityKeyOf, entityName, entityTag } from '../../shared/entities/entity-key.js';
import { shorten } from '../../shared/kernel/shorten.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { GraphInspector } from '../../shared/ports/graph-inspector.js';

type Steps = ReplyOf<'consolidate', 200>['consolidation']['steps'];
type Item = Readonly<Record<string, unknown>>;
type Identity = NonNullable<Steps['identity']>;

const RECORDS_PAGE = 1_000;

export type WordPorts = {
  readonly graph: Pick<GraphReader, 'memories' | 'entityPage'>;
  readonly inspector: Pick<GraphInspector, 'tagCounts'>;
};

export async function addWords(steps: Steps, ports: WordPorts): Promise<Steps> {
  const { forget, cluster, identity } = steps;
  const memories = await memoriesOf(steps, ports);
  const preview = (id: unknown): string => shorten(memories.get(id)?.content ?? '', PREVIEW_LENGTH);
  const withPreview = ({ id, ...more }: Item): Item => ({ id, content_preview: preview(id), ...more });
  const withReason = (item: Item): Item => {
    const { protected: isProtected, protected_reason: reason } = memories.get(item['id']) ?? {};
    return isProtected === true && reason !== undefined ? { ...item, protection_reason: reason } : item;
  };
  return {
    ...steps,
    ...(forget && {
      forget: {
        ...forget,
        archived: forget.archived.map(withPreview),
        deleted: forget.deleted.map(withPreview),
        protected: forget.protected.map(withPreview).map(withReason),
      },
    }),
    ...(cluster && {
      cluster: {
        ...cluster,
        sample_clusters: cluster.sample_clusters.map((sample) => ({
          ...sample,
          sample_content: preview(oldestOf(sample)),
        })),
      },
    }),
    ...(identity && { identity: await withNames(identity, ports) }),
  };
}

function oldestOf(sample: Item): unknown {
  return (sample['memory_ids'] as readonly unknown[])[0]; // as the task `cluster` wrote it
}

async function memoriesOf({ forget, cluster }: Steps, { graph }: WordPorts): Promise<ReadonlyMap<unknown, Memory>> {
  const listed = forget ? [...forget.archived, ...forget.deleted, ...forget.protected] : [];
  const ids = [...listed.map(({ id }) => id), ...(cluster?.sample_clusters ?? []).map(oldestOf)] as MemoryId[];
  const loaded = ids.length === 0 ? [] : await graph.memories([...new Set(ids)]);
  return new Map(loaded.map(({ memory }) => [memory.id, memory]));
}

async function withNames(identity: Identity, ports: WordPorts): Promise<Identity> {
  const merged = listOf(identity, 'merges_performed');
  const review = listOf(identity, 'merge_candidates_for_review');
  const errors = identity.errors ?? [];
  if (merged.length + review.length + errors.length === 0) return identity;
  const keys = await readKeys(ports);
  const slugOf = (id: unknown): string => keys.get(String(id))?.slug ?? '';
  return {
    ...identity,
    merges_performed: merged.map(({ canonical, alias, ...more }) => ({
      canonical: slugOf(canonical),
      alias: entityName(slugOf(alias)),
      alias_slug: slugOf(alias),
      ...more,
    })),
    merge_candidates_for_review: review.map(({ canonical, alias, ...more }) => ({
      canonical: slugOf(canonical),
      alias: slugOf(alias),
      ...more,
    })),
    errors: errors.map((error) => {
      const id = error.slice(error.lastIndexOf(' ') + 1); // the last word, as the task `identity` wrote it
      const key = keys.get(id);
      return key === undefined ? error : error.replace(id, entityTag(key));
    }),
  };
}

function listOf(identity: Identity, name: string): readonly Item[] {
  return ((identity as Item)[name] as readonly Item[] | undefined) ?? []; // as the task `identity` wrote it
}

/** The entities that consolidation examines, and all that have a record, by id. */
async function readKeys({ graph, inspector }: WordPorts): Promise<ReadonlyMap<string, EntityKey>> {
  const prefixes = ENTITY_CATEGORIES.map((category) => entityTag({ category, slug: '' }));
  const tags = await inspector.tagCounts({ prefixes, limit: CANDIDATES_EXAMINED });
  const found = tags.flatMap(({ tag }) => entityKeyOf(tag) ?? []);
  for (let after = ''; ;) {
    const page = (await graph.entityPage({ after, limit: RECORDS_PAGE })).map(({ entity }) => entity);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < RECORDS_PAGE) break;
    after = `${last.category}:${last.slug}`;
  }
  return new Map(found.map((key) => [entityId(key), key]));
}
