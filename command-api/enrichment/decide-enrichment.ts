/**
 * Decides on the result of an enrichment: one `memory.enriched` with the new state of the memory, or one
 * `memory.enrichment.failed`. Neither changes the revision, so a caller's ETag stays valid.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DerivedAssociation } from '../../shared/contract/association.js';
import type { EnrichmentFailure, EnrichmentResult } from '../../shared/contract/enrichment.js';
import { METADATA_LIMIT_BYTES, TAG_LENGTH_LIMIT, TAG_LIMIT } from '../../shared/contract/limits.js';
import type { Memory, Timestamp } from '../../shared/contract/memory.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';
import { entityTags } from '../../shared/text/entity-tags.js';
import { canonicalTag, tagPrefixes } from '../../shared/text/tags.js';
import { changedProperties, type Decision, type Facts, memoryEvent, oneEvent } from '../decision.js';
import { characterCount, type Metadata } from '../memories/memory-fields.js';

export function decideEnriched(loaded: LoadedMemory, result: EnrichmentResult, facts: Facts): Decision {
  const { memory: before, vectorRef } = loaded;
  const memory = enrichedMemory(before, result, facts);
  const changed = changedProperties(before, memory);
  const data = { memory, vectorRef, changed, derived: uniqueDerived(before, result.derived) };
  return oneEvent(memoryEvent({ facts, loaded }, { type: 'memory.enriched', data }));
}

function enrichedMemory(
  before: Memory,
  { entities: found, summary, findings }: EnrichmentResult,
  { now }: Facts,
): Memory {
  const { entities: previous = {}, ...kept } = before;
  const entities = Object.fromEntries(
    Object.entries(found)
      .filter(([, names]) => names.length > 0)
      .map(([category, names]) => [category, [...names]]),
  );
  const tags = enrichedTags(before.tags, { previous, entities });
  return {
    ...kept,
    tags,
    tag_prefixes: tagPrefixes(tags),
    metadata: enrichedMetadata(before.metadata, { previous, entities, findings, now }),
    ...(Object.keys(entities).length === 0 ? {} : { entities }),
    ...(summary === null ? {} : { summary }),
    enriched: true,
    enriched_at: now,
    processed: true,
  };
}

/** Keeps each association once, and drops associations of the memory with itself. */
function uniqueDerived({ id }: Memory, derived: readonly DerivedAssociation[]): readonly DerivedAssociation[] {
  const byKey = new Map<string, DerivedAssociation>();
  for (const one of derived) {
    const key = `${one.type}|${one.target}`;
    if (one.target !== id && !byKey.has(key)) byKey.set(key, one);
  }
  return [...byKey.values()];
}

type Entities = Readonly<Record<string, readonly string[]>>;

/**
 * The caller's tags and one tag for each entity. `previous`: entities that an earlier enrichment found and tagged; an
 * entity that is no longer found loses its tag. Entities above the limit of tags get no tag: the caller's own tags are
 * always kept.
 */
function enrichedTags(
  tags: readonly string[],
  { previous, entities }: { readonly previous: Entities; readonly entities: Entities },
): readonly string[] {
  const found = entityTags(entities);
  const outdated = new Set(entityTags(previous).filter((tag) => !found.includes(tag)));
  const kept = tags.filter((tag) => !outdated.has(tag));
  const known = new Set(kept.map(canonicalTag));
  const added = found.filter((tag) => !known.has(tag) && characterCount(tag) <= TAG_LENGTH_LIMIT);
  return [...kept, ...added.slice(0, Math.max(0, TAG_LIMIT - kept.length))];
}

type Findings = {
  /** Entities that an earlier enrichment wrote; removed unless they are found again. */
  readonly previous: Entities;
  readonly entities: Entities;
  readonly findings: Metadata;
  readonly now: Timestamp;
};

/** The caller's metadata and the findings of the enrichment; findings above the size limit of metadata are left out. */
function enrichedMetadata(metadata: Metadata, { previous, entities, findings, now }: Findings): Metadata {
  const { enriched_at: _at, enrichment: _findings, entities: stated, ...own } = metadata;
  let kept: Metadata = { ...own, ...callerEntities(stated, previous) };
  for (const addition of [
    { enriched_at: now },
    mergedEntities(kept['entities'], entities),
    { enrichment: { ...findings, last_run: now } },
  ]) {
    const wider = { ...kept, ...addition };
    // The current metadata is within the limit.
    if (Buffer.byteLength(JSON.stringify(wider)) <= METADATA_LIMIT_BYTES) kept = wider;
  }
  return kept;
}

/** A caller's own value of `entities`, whatever it is, without the entities of an earlier enrichment. */
function callerEntities(stated: unknown, previous: Entities): Metadata {
  if (stated === undefined) return {};
  if (!isRecord(stated)) return { entities: stated };
  const left = Object.entries(stated).filter(([category, names]) => !isDeepStrictEqual(names, previous[category]));
  return left.length === 0 ? {} : { entities: Object.fromEntries(left) };
}

function mergedEntities(stated: unknown, found: Entities): Metadata {
  if (Object.keys(found).length === 0 || (stated !== undefined && !isRecord(stated))) return {};
  return { entities: { ...stated, ...found } };
}

/** Records a failed enrichment; the memory stays as it is. */
export function decideFailed(loaded: LoadedMemory, { attempts, error }: EnrichmentFailure, facts: Facts): Decision {
  const { memory, vectorRef } = loaded;
  const data = { memory, vectorRef, changed: [], attempts, error };
  return oneEvent(memoryEvent({ facts, loaded }, { type: 'memory.enrichment.failed', data }));
}
