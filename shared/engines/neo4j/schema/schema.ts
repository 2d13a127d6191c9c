/** Creates and checks the constraints and indexes that the statements need. The Community Edition has all of them. */
import type { Memory } from '../../../contract/memory.js';
import { ConfigurationError } from '../../../kernel/config/config.js';
import { palimpsestCommand } from '../../../kernel/palimpsest-command.js';
import { neo4jCode } from '../connection/neo4j-errors.js';
import type { Neo4j } from '../neo4j.js';
import { searchedMetadata } from './memory-node.js';

/** Increases with every change to the indexes or to the properties that `apply` writes. */
export const GRAPH_SCHEMA_VERSION = 6;

const SEARCHED_METADATA_SINCE = 2;

/** The label of the node that holds the schema version. */
const VERSION_LABEL = 'GraphSchema';

/** Runs one statement at a time. Each object may exist already. */
const SCHEMA = [
  'CREATE CONSTRAINT graph_schema_name IF NOT EXISTS FOR (v:GraphSchema) REQUIRE v.name IS UNIQUE',
  // Tombstones and placeholders of memories to come are subjects without the label Memory, so each id has exactly one
  // node.
  'CREATE CONSTRAINT subject_id IF NOT EXISTS FOR (s:Subject) REQUIRE s.id IS UNIQUE',
  'CREATE CONSTRAINT entity_record_id IF NOT EXISTS FOR (e:EntityRecord) REQUIRE e.id IS UNIQUE',
  'CREATE CONSTRAINT entity_record_key IF NOT EXISTS FOR (e:EntityRecord) REQUIRE e.key IS UNIQUE',
  'CREATE INDEX memory_rank IF NOT EXISTS FOR (m:Memory) ON (m.rank)',
  'CREATE INDEX memory_timestamp IF NOT EXISTS FOR (m:Memory) ON (m.timestamp)',
  'CREATE INDEX memory_updated_at IF NOT EXISTS FOR (m:Memory) ON (m.updated_at)',
  // For pages of a listing. Recall needs the two above, as do processes of the former release.
  'CREATE INDEX memory_timestamp_id IF NOT EXISTS FOR (m:Memory) ON (m.timestamp, m.id)',
  'CREATE INDEX memory_updated_id IF NOT EXISTS FOR (m:Memory) ON (m.updated_at, m.id)',
  'CREATE INDEX tagged_rank IF NOT EXISTS FOR ()-[t:TAGGED]-() ON (t.tag, t.rank)',
  'CREATE INDEX described_rank IF NOT EXISTS FOR ()-[d:DESCRIBED]-() ON (d.word, d.rank)',
  // One index, because each index costs every commit 2 ms. Not eventually consistent: such an index fell 13 s behind
  // under load. The terms are already analysed, so the index only splits them at blanks.
  `CREATE FULLTEXT INDEX memory_terms IF NOT EXISTS FOR (m:Memory) ON EACH [m.terms, m.tag_terms, m.facets, m.timestamp, m.t_valid, m.t_invalid]
    OPTIONS { indexConfig: { \`fulltext.analyzer\`: 'whitespace', \`fulltext.eventually_consistent\`: false } }`,
];

/** Deletes the indexes, the constraints and the schema version of a graph that was wiped. */
export async function dropNeo4jSchema(neo4j: Pick<Neo4j, 'write'>): Promise<void> {
  for (const text of SCHEMA) {
    const [, kind, name] = /(CONSTRAINT|INDEX) ([a-z_]+) IF NOT EXISTS/u.exec(text) ?? [];
    await neo4j.write([{ text: `DROP ${kind} ${name} IF EXISTS`, given: {} }]);
  }
  await neo4j.write([{ text: `MATCH (v:${VERSION_LABEL}) DELETE v`, given: {} }]);
}

/** One wait stays within the timeout of a transaction. Indexing a large graph takes some minutes. */
const WAIT_SECONDS = 2;
const MAX_WAITS = 300;

/**
 * Updates the database to this schema version and waits until its indexes are online. Several processes may run it at
 * the same time.
 */
export async function ensureNeo4jSchema(neo4j: Neo4j): Promise<void> {
  const found = await schemaVersion(neo4j);
  if (found !== null && found > GRAPH_SCHEMA_VERSION) throw new ConfigurationError([laterVersion(found)]);
  for (const text of SCHEMA) await create(neo4j, text);
  await awaitIndexes(neo4j);
  if (found !== null && found < SEARCHED_METADATA_SINCE) await backfillMetadata(neo4j);
  await neo4j.write([{ text: SAVE_VERSION, given: { version: GRAPH_SCHEMA_VERSION } }]);
}

/** For processes that serve requests: checks the schema version and changes nothing. */
export async function requireNeo4jSchema(neo4j: Neo4j): Promise<void> {
  const found = await schemaVersion(neo4j);
  if (found === GRAPH_SCHEMA_VERSION) return;
  if (found !== null && found > GRAPH_SCHEMA_VERSION) throw new ConfigurationError([laterVersion(found)]);
  const state =
    found === null ? 'not set up' : `of an earlier version (schema ${found}, this one needs ${GRAPH_SCHEMA_VERSION})`;
  throw new ConfigurationError([`The graph in Neo4j is ${state}: run ${palimpsestCommand('migrate')}`]);
}

function laterVersion(found: number): string {
  const versions = `schema ${found}, this one knows ${GRAPH_SCHEMA_VERSION}`;
  return `The graph in Neo4j was written by a later version (${versions}): run that version, or set NEO4J_URL to another server`;
}

async function schemaVersion(neo4j: Neo4j): Promise<number | null> {
  const [row] = await neo4j.read({
    text: `MATCH (v:${VERSION_LABEL} {name: 'graph'}) RETURN v.version AS version`,
    given: {},
  });
  return row === undefined ? null : Number(row['version']);
}

const SAVE_VERSION = `MERGE (v:${VERSION_LABEL} {name: 'graph'})
  SET v.version = CASE WHEN v.version > $given.version THEN v.version ELSE toInteger($given.version) END`;

/** IF NOT EXISTS checks before it locks, so concurrent processes may get an error that the object exists. */
async function create(neo4j: Neo4j, text: string): Promise<void> {
  try {
    await neo4j.write([{ text, given: {} }]);
  } catch (error) {
    if (!ALREADY_EXISTS.has(neo4jCode(error) ?? '')) throw error;
  }
}

async function awaitIndexes(neo4j: Neo4j): Promise<void> {
  for (let waits = 1; ; waits += 1) {
    try {
      await neo4j.read({ text: 'CALL db.awaitIndexes(toInteger($given.seconds))', given: { seconds: WAIT_SECONDS } });
      return;
    } catch (error) {
      if (neo4jCode(error) !== 'Neo.ClientError.Procedure.ProcedureTimedOut' || waits === MAX_WAITS) throw error;
    }
  }
}

const ALREADY_EXISTS: ReadonlySet<string> = new Set([
  'Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists',
  'Neo.ClientError.Schema.ConstraintAlreadyExists',
  'Neo.ClientError.Schema.IndexAlreadyExists',
]);

const PAGE = 500;

/**
 * A migration step that indexes the metadata of memories stored by a release without that index. A second run changes
 * nothing.
 */
async function backfillMetadata(neo4j: Neo4j): Promise<void> {
  for (let after = ''; ;) {
    const page = await neo4j.read({ text: METADATA_PAGE, given: { after, limit: PAGE } });
    const rows = page.map((row) => ({
      id: row['id'],
      metadata: row['metadata'],
      set: searchedMetadata(JSON.parse(String(row['metadata'])) as Memory['metadata']),
    }));
    const described = rows.filter(({ set }) => set.metadata_words !== undefined);
    if (described.length > 0) await neo4j.write([{ text: DESCRIBE, given: { rows: described } }]);
    if (page.length < PAGE) return;
    after = String(page.at(-1)?.['id']);
  }
}

const METADATA_PAGE = `MATCH (m:Subject) USING INDEX m:Subject(id) WHERE m.id > $given.after AND m:Memory
  WITH m.id AS id, m.metadata AS metadata ORDER BY id LIMIT toInteger($given.limit)
  RETURN id, metadata`;

/**
 * The rows are in the order of locks. A concurrent write indexes its own memory, so this step skips memories that
 * changed or are gone.
 */
const DESCRIBE = `UNWIND $given.rows AS row
  MATCH (m:Subject {id: row.id}) USING INDEX SEEK m:Subject(id)
  SET m.locked = true
  WITH m, row WHERE m.metadata = row.metadata AND m.metadata_words IS NULL
  SET m += row.set
  FOREACH (word IN row.set.metadata_words | CREATE (m)-[:DESCRIBED {word: word, rank: m.rank}]->(m))`;
