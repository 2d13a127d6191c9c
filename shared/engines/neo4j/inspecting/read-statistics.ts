/**
 * Reads statistics of the whole graph: from the counts that the server keeps of labels and types, and from ranges of
 * indexes.
 */
import { ASSOCIATION_TYPES, type AssociationType } from '../../../contract/association.js';
import { memorySchema, type Timestamp } from '../../../contract/memory.js';
import {
  CONFIDENCE_SAMPLE,
  type GraphSpread,
  type GraphTotals,
  type Preference,
  PREFERENCE_SAMPLE,
} from '../../../ports/graph-inspector.js';
import type { Neo4j, Row } from '../neo4j.js';
import { readCompleteRows } from '../reading/read-memories.js';
import { isMemoryComplete, loadedMemory, MEMORY_FIELDS } from '../schema/memory-node.js';
import { rankAfter } from '../schema/rank.js';
import { associationOf } from './read-associations-within.js';

const MEMORY_LABELS = memorySchema.properties.type.enum;
const ASSOCIATION_NAMES = Object.keys(ASSOCIATION_TYPES) as AssociationType[];

/** Each COUNT alone is one read of the server's counts. */
const TOTALS = `RETURN [${MEMORY_LABELS.map((type) => `COUNT { (:${type}) }`).join(', ')}] AS memories,
  [${ASSOCIATION_NAMES.map((type) => `COUNT { (:Subject)-[:${type}]->() }`).join(', ')}] AS associations`;

export async function readTotals(neo4j: Pick<Neo4j, 'read'>): Promise<GraphTotals> {
  const [row] = await neo4j.read({ text: TOTALS, given: {} });
  return {
    memories: countsOf(MEMORY_LABELS, row?.['memories'] as readonly number[]),
    associations: countsOf(ASSOCIATION_NAMES, row?.['associations'] as readonly number[]),
  };
}

/** Names without a count are left out. */
function countsOf<N extends string>(names: readonly N[], counts: readonly number[]): ReadonlyMap<N, number> {
  return new Map(names.map((name, at) => [name, Number(counts[at])] as const).filter(([, count]) => count > 0));
}

const FROM_IMPORTANCE = `UNWIND $given.ends AS end
  RETURN COUNT { MATCH (m:Memory) USING INDEX m:Memory(rank) WHERE m.rank < end } AS memories`;
const BY_DATE = `MATCH (m:Memory) USING INDEX m:Memory(timestamp) WHERE m.timestamp >= $given.from AND m.timestamp < $given.until
  RETURN left(m.timestamp, 10) AS date, count(*) AS memories`;

type Spread = { readonly importances: readonly number[]; readonly from: Timestamp; readonly until: Timestamp };

export async function readSpread(
  neo4j: Pick<Neo4j, 'readAll'>,
  { importances, from, until }: Spread,
): Promise<GraphSpread> {
  const [byImportance = [], byDate = []] = await neo4j.readAll([
    { text: FROM_IMPORTANCE, given: { ends: importances.map(rankAfter) } },
    { text: BY_DATE, given: { from, until } },
  ]);
  return {
    fromImportance: byImportance.map(({ memories }) => Number(memories)),
    byDate: new Map(byDate.map(({ date, memories }) => [String(date), Number(memories)])),
  };
}

const CONFIDENCES = `CALL () {
    ${MEMORY_LABELS.map(
      (type) =>
        `MATCH (m:${type}) WITH m LIMIT ${CONFIDENCE_SAMPLE} RETURN '${type}' AS type, avg(m.confidence) AS average`,
    ).join('\n    UNION ALL ')}
  }
  RETURN type, average`;

export async function readConfidences(neo4j: Pick<Neo4j, 'read'>): Promise<ReadonlyMap<string, number>> {
  const rows = await neo4j.read({ text: CONFIDENCES, given: {} });
  return new Map(
    rows.flatMap(({ type, average }) => (average === null ? [] : [[String(type), Number(average)] as const])),
  );
}

const PREFERENCES = `MATCH (s:Memory)-[r:PREFERS_OVER]->(t:Memory) WITH s, r, t LIMIT ${PREFERENCE_SAMPLE}
  WITH s, r, t ORDER BY r.strength DESC, s.id, t.id LIMIT toInteger($given.limit)
  RETURN s.id AS source, type(r) AS type, t.id AS target, r.strength AS strength, r.properties AS properties,
    r.created_at AS created_at, r.updated_at AS updated_at,
    ${MEMORY_FIELDS.replace('m {', 's {')} AS prefers, ${MEMORY_FIELDS.replace('m {', 't {')} AS over
  ORDER BY strength DESC, source, target`;

export async function readPreferences(neo4j: Pick<Neo4j, 'read'>, limit: number): Promise<readonly Preference[]> {
  const isComplete = ({ properties, prefers, over }: Row) =>
    properties !== null && isMemoryComplete(prefers as Row) && isMemoryComplete(over as Row);
  const rows = await readCompleteRows(neo4j, { text: PREFERENCES, given: { limit } }, isComplete);
  return rows.map((row) => ({
    association: associationOf(row),
    prefers: loadedMemory(row['prefers'] as Row).memory,
    over: loadedMemory(row['over'] as Row).memory,
  }));
}
