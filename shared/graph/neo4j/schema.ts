/** The constraints and indexes that the statements stand on, all of which the Community Edition has. */
import { ConfigurationError } from '../../kernel/config.js';
import { neo4jCode } from './neo4j-errors.js';
import { fillMetadata } from './fill-metadata.js';
import type { Neo4j } from './neo4j.js';

/** Raised with every change to what `apply` writes or to the indexes. */
export const GRAPH_SCHEMA_VERSION = 2;

const SEARCHED_METADATA_SINCE = 2;

/** What lives in the database beside the memories: the version of their form. */
const VERSION_LABEL = 'GraphSchema';

/** One by one, and each may be there already. */
const SCHEMA = [
  'CREATE CONSTRAINT graph_schema_name IF NOT EXISTS FOR (v:GraphSchema) REQUIRE v.name IS UNIQUE',
  // Tombstones and the places of memories to come are subjects and no memories, so that nothing is ever made twice.
  'CREATE CONSTRAINT subject_id IF NOT EXISTS FOR (s:Subject) REQUIRE s.id IS UNIQUE',
  'CREATE INDEX memory_rank IF NOT EXISTS FOR (m:Memory) ON (m.rank)',
  'CREATE INDEX memory_timestamp IF NOT EXISTS FOR (m:Memory) ON (m.timestamp)',
  'CREATE INDEX memory_updated_at IF NOT EXISTS FOR (m:Memory) ON (m.updated_at)',
  'CREATE INDEX tagged_rank IF NOT EXISTS FOR ()-[t:TAGGED]-() ON (t.tag, t.rank)',
  'CREATE INDEX described_rank IF NOT EXISTS FOR ()-[d:DESCRIBED]-() ON (d.word, d.rank)',
  // One index, as each costs every commit 2 ms. Not eventually consistent: under load that fell 13 s behind. Our terms come analysed.
  `CREATE FULLTEXT INDEX memory_terms IF NOT EXISTS FOR (m:Memory) ON EACH [m.terms, m.tag_terms, m.facets, m.timestamp, m.t_valid, m.t_invalid]
    OPTIONS { indexConfig: { \`fulltext.analyzer\`: 'whitespace', \`fulltext.eventually_consistent\`: false } }`,
];

/** One wait stays within a transaction's time; a large graph is indexed in some minutes. */
const WAIT_SECONDS = 2;
const MOST_WAITS = 300;

/** Brings the database to this version and waits until its indexes answer. Any number of processes may do so at once. */
export async function ensureNeo4jSchema(neo4j: Neo4j): Promise<void> {
  const found = await schemaVersion(neo4j);
  if (found !== null && found > GRAPH_SCHEMA_VERSION) throw new ConfigurationError([laterVersion(found)]);
  for (const text of SCHEMA) await create(neo4j, text);
  await awaitIndexes(neo4j);
  if (found !== null && found < SEARCHED_METADATA_SINCE) await fillMetadata(neo4j);
  await neo4j.write([{ text: KEEP_VERSION, given: { version: GRAPH_SCHEMA_VERSION } }]);
}

/** For processes that serve: they change no schema. */
export async function demandNeo4jSchema(neo4j: Neo4j): Promise<void> {
  const found = await schemaVersion(neo4j);
  if (found === GRAPH_SCHEMA_VERSION) return;
  if (found !== null && found > GRAPH_SCHEMA_VERSION) throw new ConfigurationError([laterVersion(found)]);
  const state =
    found === null ? 'not set up' : `of an earlier version (schema ${found}, this one needs ${GRAPH_SCHEMA_VERSION})`;
  throw new ConfigurationError([`The graph in Neo4j is ${state}: run \`npm run migrate\``]);
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

const KEEP_VERSION = `MERGE (v:${VERSION_LABEL} {name: 'graph'})
  SET v.version = CASE WHEN v.version > $given.version THEN v.version ELSE toInteger($given.version) END`;

/** IF NOT EXISTS looks before it locks: of several at once all but one may be told that it exists. */
async function create(neo4j: Neo4j, text: string): Promise<void> {
  try {
    await neo4j.write([{ text, given: {} }]);
  } catch (error) {
    if (!EXISTS.has(neo4jCode(error) ?? '')) throw error;
  }
}

async function awaitIndexes(neo4j: Neo4j): Promise<void> {
  for (let waits = 1; ; waits += 1) {
    try {
      await neo4j.read({ text: 'CALL db.awaitIndexes(toInteger($given.seconds))', given: { seconds: WAIT_SECONDS } });
      return;
    } catch (error) {
      if (neo4jCode(error) !== 'Neo.ClientError.Procedure.ProcedureTimedOut' || waits === MOST_WAITS) throw error;
    }
  }
}

const EXISTS: ReadonlySet<string> = new Set([
  'Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists',
  'Neo.ClientError.Schema.ConstraintAlreadyExists',
  'Neo.ClientError.Schema.IndexAlreadyExists',
]);
