/**
 * The identities of entities that a recall is about. Entities with an identity are few, so this process caches them and
 * reads them again from time to time: a recall waits for none of these reads.
 */
import type { EntityRecord } from '../../../shared/contract/entities/entity.js';
import { entityKeyOf, entityTag } from '../../../shared/entities/entity-key.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import { withoutSpan } from '../../../shared/kernel/tracing/tracing.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import { entitySlug } from '../../../shared/text/entity-tags.js';
import { namesIn } from '../plan/decompose.js';

/** Results whose tags are read. */
const RESULTS = 10;
/** Slugs that are looked up for one recall. */
const SLUGS = 10;
const PAGE = 1_000;
/** Entities with an identity that are cached. */
const CACHED = 10_000;

export type Identities = {
  /** The entities that the query names or that the first results are tagged with. */
  readonly find: (query: string, tags: readonly (readonly string[])[]) => readonly ShownIdentity[];
};

/** With the names of the reply. */
type ShownIdentity = {
  readonly id: string;
  readonly slug: string;
  readonly category: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly identity: string;
  readonly identity_source_count: number;
  readonly identity_updated_at: string;
};

export function createIdentities({
  graph,
  refreshMs,
  logger,
}: {
  readonly graph: Pick<GraphReader, 'entityPage'>;
  /** How long an identity is cached before it is read again. */
  readonly refreshMs: number;
  readonly logger: Logger;
}): Identities {
  let bySlug: ReadonlyMap<string, readonly ShownIdentity[]> = new Map();
  let readAt = -Infinity;
  let isReading = false;

  async function read(): Promise<void> {
    const found = new Map<string, ShownIdentity[]>();
    let cached = 0;
    for (let after = ''; cached < CACHED;) {
      const page = await graph.entityPage({ after, limit: PAGE });
      for (const { entity } of page) {
        const shown = shownIdentity(entity);
        if (shown === null) continue;
        cached += 1;
        for (const slug of [shown.slug, ...shown.aliases]) found.set(slug, [...(found.get(slug) ?? []), shown]);
      }
      const last = page.at(-1)?.entity;
      if (last === undefined || page.length < PAGE) break;
      after = `${last.category}:${last.slug}`;
    }
    bySlug = found;
  }

  /** Not awaited: the recall that finds the identities old is answered from what is there. */
  function refresh(): void {
    if (isReading || performance.now() - readAt < refreshMs) return;
    isReading = true;
    withoutSpan(read)
      .catch((err: unknown) => logger.warn({ err }, 'reading the identities of entities failed'))
      .finally(() => {
        isReading = false;
        readAt = performance.now();
      });
  }

  return {
    find: (query, tags) => {
      refresh();
      if (bySlug.size === 0) return [];
      const tagged = tags.slice(0, RESULTS).flatMap((each) => each.flatMap((tag) => entityKeyOf(tag)?.slug ?? []));
      const slugs = [...new Set([...namesIn(query).map(entitySlug), ...tagged])].slice(0, SLUGS);
      return [...new Set(slugs.flatMap((slug) => bySlug.get(slug) ?? []))];
    },
  };
}

/** Null for an entity without an identity, and for a merged one. */
function shownIdentity(record: EntityRecord): ShownIdentity | null {
  const { category, slug, name, aliases, identity, merged_into: mergedInto } = record;
  if (identity === undefined || mergedInto !== undefined) return null;
  return {
    id: entityTag({ category, slug }),
    slug,
    category,
    name,
    aliases,
    identity,
    identity_source_count: record.identity_source_count ?? 0,
    identity_updated_at: record.identity_updated_at ?? record.updated_at,
  };
}
