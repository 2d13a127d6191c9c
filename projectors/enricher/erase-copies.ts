/**
 * Erases what meta memories and records of entities copied from memories that are deleted. A meta memory that quotes
 * one is deleted, and the next consolidation makes another; an identity that was made from one is removed; an alias or
 * an entity that no memory names any more goes with the last memory that named it.
 */
import {
  CONSOLIDATION_COMMANDS_LIMIT,
  type ConsolidationCommand,
  type RecordConsolidation,
} from '../../shared/contract/consolidation/commands.js';
import type { EntityKey, EntityRecord } from '../../shared/contract/entities/entity.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { entityTag } from '../../shared/entities/entity-key.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import { withoutIdentity } from '../../shared/entities/without-identity.js';
import { mapConcurrently } from '../../shared/kernel/concurrency/map-concurrently.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { GraphReader, LoadedEntity } from '../../shared/ports/graph.js';
import { clusterId } from '../jobs/consolidator/describe-cluster.js';

/** Another process may change the same records in between. */
const ATTEMPTS = 3;
const PAGE = 1_000;
const CONCURRENT_READS = 8;
const REASON = 'A memory that it has words of was deleted.';

type Graph = Pick<GraphReader, 'memories' | 'entityPage' | 'idsByTag'>;

export function createEraseCopies({ graph, record }: { readonly graph: Graph; readonly record: RecordConsolidation }) {
  return async (events: readonly RecordedEvent[]): Promise<void> => {
    const deleted = events.filter(({ type }) => type === 'memory.deleted').map(({ subject }) => subject as MemoryId);
    if (deleted.length === 0) return;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const commands = [...(await draftClusters(deleted, graph)), ...(await draftRecords(new Set(deleted), graph))];
      if (!(await sendAll(commands, record)).includes('outdated')) return;
    }
    throw new DependencyError('commands', `Copies changed during all ${ATTEMPTS} attempts to erase them`, {
      retryAfterSeconds: 1,
    });
  };
}

async function sendAll(commands: readonly ConsolidationCommand[], record: RecordConsolidation) {
  const outcomes = [];
  for (let from = 0; from < commands.length; from += CONSOLIDATION_COMMANDS_LIMIT)
    outcomes.push(...(await record(commands.slice(from, from + CONSOLIDATION_COMMANDS_LIMIT))));
  return outcomes;
}

async function draftClusters(
  deleted: readonly MemoryId[],
  graph: Pick<Graph, 'memories'>,
): Promise<readonly ConsolidationCommand[]> {
  const quoting = await graph.memories(deleted.map(clusterId));
  return quoting.map(({ memory: { id }, version }) => ({
    kind: 'delete',
    id,
    expectedVersion: version,
    reason: REASON,
  }));
}

async function draftRecords(deleted: ReadonlySet<string>, graph: Graph): Promise<readonly ConsolidationCommand[]> {
  const records = await readRecords(graph);
  const named = await findNamed(records, graph);
  const merged = records.filter(({ entity }) => entity.merged_into !== undefined && named.has(mergeKey(entity)));
  const aliases = new Set(merged.map(({ entity }) => entity.slug));
  return records.flatMap(({ entity, version }) => {
    const record = named.has(mergeKey(entity)) ? withoutWords(entity, { deleted, aliases, named }) : null;
    return record === entity
      ? []
      : [{ kind: 'redraw' as const, entity: keyOf(entity), expectedVersion: version, record, reason: REASON }];
  });
}

type Words = {
  readonly deleted: ReadonlySet<string>;
  /** The slugs of merged entities that memories named. */
  readonly aliases: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
};

/** The record itself when it has no word to erase. */
function withoutWords(entity: EntityRecord, { deleted, aliases: known, named }: Words): EntityRecord {
  const isMadeFrom = entity.derived_from?.some((id) => deleted.has(id)) ?? true; // an earlier release named none
  const kept = entity.identity !== undefined && isMadeFrom ? withoutIdentity(entity) : entity;
  const aliases = kept.aliases.filter((alias) => known.has(alias));
  const { distinct_from: others = [] } = kept;
  const left = others.filter((other) => named.has(mergeKey(other)));
  return aliases.length === kept.aliases.length && left.length === others.length
    ? kept
    : { ...kept, aliases, ...(others.length > 0 && { distinct_from: left }) };
}

/** The records that are not erased already. */
async function readRecords(graph: Pick<Graph, 'entityPage'>): Promise<readonly LoadedEntity[]> {
  const found: LoadedEntity[] = [];
  for (let after = ''; ;) {
    const page = await graph.entityPage({ after, limit: PAGE });
    found.push(...page.filter(({ entity }) => entity.erased_at === undefined));
    const last = page.at(-1)?.entity;
    if (last === undefined || page.length < PAGE) return found;
    after = mergeKey(last);
  }
}

/**
 * The entities whose words a memory has: those with a tag in use, and merged ones with a memory that named them. When
 * these memories are not known, the entity that it is now decides.
 */
async function findNamed(
  records: readonly LoadedEntity[],
  graph: Pick<Graph, 'memories' | 'idsByTag'>,
): Promise<ReadonlySet<string>> {
  const entities = new Map(records.map(({ entity }) => [mergeKey(entity), entity]));
  const named = new Set<string>();
  await mapConcurrently(records, CONCURRENT_READS, async ({ entity }) => {
    const tagged = await graph.idsByTag({ tags: [entityTag(entity)], after: '', limit: 1 });
    const sources = entity.merged_into === undefined ? [] : (entity.derived_from ?? []);
    const isNamed = tagged.length > 0 || (sources.length > 0 && (await graph.memories(sources)).length > 0);
    if (isNamed) named.add(mergeKey(entity));
  });
  const unknown = [...entities.values()].filter((one) => one.merged_into !== undefined && !one.derived_from);
  for (const entity of unknown) if (named.has(mergeKey(endOf(entity, entities)))) named.add(mergeKey(entity));
  return named;
}

/** Merges make no cycle: each ends at an entity that was not merged. */
function endOf(entity: EntityKey & Pick<EntityRecord, 'merged_into'>, entities: ReadonlyMap<string, EntityRecord>) {
  let end: EntityKey & Pick<EntityRecord, 'merged_into'> = entity;
  while (end.merged_into !== undefined) end = entities.get(mergeKey(end.merged_into)) ?? { ...end.merged_into };
  return end;
}

function keyOf({ category, slug }: EntityKey): EntityKey {
  return { category, slug };
}
