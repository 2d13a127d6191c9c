/**
 * A part of the graph database that no other part can see: every label, every type of an index and every name of an
 * index in a statement gets the namespace as its suffix. The Community Edition has one database for all. The statements
 * find nodes by label or by index alone, and reach others from these, so none leaves its part.
 */
import { memorySchema } from '../../../contract/memory.js';
import type { Neo4j, Statement } from '../neo4j.js';
import { DELETED_HUB, UNENRICHED } from '../schema/labels.js';

const TYPES = memorySchema.properties.type.enum;
const LABELS = ['Subject', 'Memory', 'EntityRecord', 'GraphSchema', DELETED_HUB, UNENRICHED, ...TYPES];
const UNENRICHED_TYPES = TYPES.map((type) => `${UNENRICHED}${type}`);
/** Of self-relationships, which have indexes. */
const INDEXED_TYPES = ['TAGGED', 'DESCRIBED'];
const NAMES = [...LABELS, ...UNENRICHED_TYPES, ...INDEXED_TYPES].sort((one, other) => other.length - one.length);

/** `:Memory` and `|DESCRIBED`, but not `$given.x`, `m.rank` or a type of associations. */
const IN_PATTERN = new RegExp(`(?<=[:|])(?:${NAMES.join('|')})\\b`, 'gu');
const OF_INDEX = /(?<=(?:CONSTRAINT|INDEX) )[a-z_]+(?= IF (?:NOT )?EXISTS)|(?<=queryNodes\(')[a-z_]+(?=')/gu;
const AS_TEXT = /(?<=label <> ')Subject(?=')/gu;
const DYNAMIC = /\brow\.labels\b/gu;

/** The texts of statements are few and never change, so each is rewritten once. */
export function createRewrite(namespace: string): (text: string) => string {
  const suffix = `_${namespace}`;
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const rewritten = text
      .replace(IN_PATTERN, (name) => name + suffix)
      .replace(OF_INDEX, (name) => name + suffix)
      .replace(AS_TEXT, (name) => name + suffix)
      .replace(DYNAMIC, `[label IN row.labels | label + '${suffix}']`);
    known.set(text, rewritten);
    return rewritten;
  };
}

/** `namespace`: empty for the part without a suffix. */
export function namespacedNeo4j(neo4j: Neo4j, namespace: string): Neo4j {
  if (namespace === '') return neo4j;
  const rewrite = createRewrite(namespace);
  const own = (statement: Statement): Statement => ({ ...statement, text: rewrite(statement.text) });
  return {
    ...neo4j,
    read: (statement, limits) => neo4j.read(own(statement), limits),
    readAll: (statements, limits) => neo4j.readAll(statements.map(own), limits),
    readAtLeader: (statement) => neo4j.readAtLeader(own(statement)),
    write: (statements, limits) => neo4j.write(statements.map(own), limits),
  };
}
