/**
 * Reads the outgoing associations to show with the results, in one round trip: those that callers created first, then
 * at most three of the newest that only enrichment creates.
 */
import { ASSOCIATION_TYPES, type AssociationType } from '../../../shared/contract/association.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader, Relation } from '../../../shared/ports/graph.js';
import type { RecallConfig } from '../../config.js';
import { isByAssociation } from '../expand/expansion-evidence.js';
import type { SelectedResult } from '../select/select-results.js';

const PUBLIC_TYPES = (Object.keys(ASSOCIATION_TYPES) as AssociationType[]).filter(
  (type) => ASSOCIATION_TYPES[type].isPublic,
);

/** Enrichment connects nearly every memory with similar ones, and with their ends they are half of a reply. */
const DERIVED_SHOWN = 3;

type Shown = Pick<RecallConfig, 'relationLimit' | 'excludedTypes'>;

/**
 * Skips replacements and memories that associations led to, because they show the associations by which they became
 * results.
 */
export async function readAssociations(
  graph: GraphReader,
  results: readonly SelectedResult[],
  { relationLimit, excludedTypes }: Shown,
): Promise<ReadonlyMap<MemoryId, readonly Relation[]>> {
  const ids = results
    .filter((result) => result.replaces === null && !isByAssociation(result))
    .map(({ memory }) => memory.id);
  if (ids.length === 0) return new Map();
  const found = await graph.relations({
    ids,
    direction: 'outgoing',
    types: PUBLIC_TYPES,
    excludedTypes,
    limit: relationLimit,
  });
  return new Map([...found].map(([id, relations]) => [id, withFewDerived(relations)]));
}

function withFewDerived(relations: readonly Relation[]): readonly Relation[] {
  let derived = 0;
  return relations.filter(({ type }) => ASSOCIATION_TYPES[type].authorable || (derived += 1) <= DERIVED_SHOWN);
}
