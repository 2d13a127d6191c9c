/** The metadata of an enriched memory: the caller's own, and what enrichment says of itself, as far as there is room for it. */
import { isDeepStrictEqual } from 'node:util';
import { METADATA_LIMIT_BYTES } from '../../shared/contract/limits.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import { isMap, type Metadata } from '../memories/memory-fields.js';

type Entities = Readonly<Record<string, readonly string[]>>;

export type Findings = {
  /** What an earlier enrichment wrote; gone where it is not found any more. */
  readonly former: Entities;
  readonly entities: Entities;
  readonly findings: Metadata;
  readonly now: Timestamp;
};

export function enrichedMetadata(metadata: Metadata, { former, entities, findings, now }: Findings): Metadata {
  const { enriched_at: _at, enrichment: _findings, entities: stated, ...own } = metadata;
  let kept: Metadata = { ...own, ...statedEntities(stated, former) };
  for (const addition of [
    { enriched_at: now },
    mergedEntities(kept['entities'], entities),
    { enrichment: { ...findings, last_run: now } },
  ]) {
    const wider = { ...kept, ...addition };
    // What stands there now was within the limit.
    if (Buffer.byteLength(JSON.stringify(wider)) <= METADATA_LIMIT_BYTES) kept = wider;
  }
  return kept;
}

/** What a caller states under this name stays, whatever it is. */
function statedEntities(stated: unknown, former: Entities): Metadata {
  if (stated === undefined) return {};
  if (!isMap(stated)) return { entities: stated };
  const left = Object.entries(stated).filter(([category, names]) => !isDeepStrictEqual(names, former[category]));
  return left.length === 0 ? {} : { entities: Object.fromEntries(left) };
}

function mergedEntities(stated: unknown, found: Entities): Metadata {
  if (Object.keys(found).length === 0 || (stated !== undefined && !isMap(stated))) return {};
  return { entities: { ...stated, ...found } };
}
