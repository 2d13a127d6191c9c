/** The door to a real Neo4j, and what a database must hold before it is used. */
import { expect } from 'chai';
import { connectNeo4j } from '../../shared/graph/neo4j/connect-neo4j.js';
import type { Neo4j } from '../../shared/graph/neo4j/neo4j.js';
import { demandNeo4jSchema, ensureNeo4jSchema, GRAPH_SCHEMA_VERSION } from '../../shared/graph/neo4j/schema.js';
import { ConfigurationError } from '../../shared/kernel/config.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { openEmptyNeo4j, testNeo4jConfig } from '../support/neo4j.js';
import { rejection } from '../support/rejection.js';
import { isServerWanted } from '../support/servers.js';

const PROCESSES = 10;

if (isServerWanted('neo4j')) {
  describe('connecting to a real Neo4j', () => {
    const refused = async (variables: Readonly<Record<string, string>>): Promise<string> => {
      const error = await rejection(connectNeo4j({ config: testNeo4jConfig(variables), logger: silentLogger }));
      expect(error).to.be.instanceOf(ConfigurationError);
      const { problems } = error as ConfigurationError; // as just checked
      return problems.join();
    };

    it('says in one line that the credentials are refused, without the password', async () => {
      const problem = await refused({ NEO4J_USER: 'nobody', NEO4J_PASSWORD: 'a-wrong-secret' });
      expect(problem).to.match(
        /^Neo4j at \S+ refused user nobody with this password: set NEO4J_USER and NEO4J_PASSWORD to what it accepts$/u,
      );
      expect(problem).to.not.contain('a-wrong-secret');
    });

    it('says in one line that a password is missing', async () => {
      expect(await refused({ NEO4J_PASSWORD: '' })).to.contain('refused a connection without a password');
    });

    it('says in one line that the database does not exist', async () => {
      expect(await refused({ NEO4J_DATABASE: 'elsewhere' })).to.match(/has no database elsewhere: set NEO4J_DATABASE/u);
    });
  });

  describe('the schema in Neo4j', function () {
    this.timeout(60_000);
    let neo4j: Neo4j;
    beforeEach(async () => {
      neo4j = await openEmptyNeo4j();
      await dropSchema(neo4j);
    });
    after(async () => (await openEmptyNeo4j()).close());
    afterEach(() => neo4j.close());

    it('is made by ten processes at once, and again without a change', async () => {
      const processes = await Promise.all(
        Array.from({ length: PROCESSES }, () => connectNeo4j({ config: testNeo4jConfig(), logger: silentLogger })),
      );
      try {
        await Promise.all(processes.map((each) => ensureNeo4jSchema(each)));
        const made = await namesOf(neo4j);
        expect(made).to.include.members([
          'subject_id',
          'memory_rank',
          'memory_timestamp',
          'memory_updated_at',
          'tagged_rank',
          'described_rank',
          'memory_terms',
        ]);
        await ensureNeo4jSchema(neo4j);
        expect(await namesOf(neo4j)).to.deep.equal(made);
        await demandNeo4jSchema(neo4j);
      } finally {
        await Promise.all(processes.map((each) => each.close()));
      }
    });

    it('is demanded by processes that serve, which say how to make it', async () => {
      const error = await rejection(demandNeo4jSchema(neo4j));
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(error.message).to.contain('run `npm run migrate`');
    });

    it('of a later version is refused by both', async () => {
      await ensureNeo4jSchema(neo4j);
      await neo4j.write([
        {
          text: 'MATCH (v:GraphSchema) SET v.version = toInteger($given.version)',
          given: { version: GRAPH_SCHEMA_VERSION + 1 },
        },
      ]);
      for (const attempt of [ensureNeo4jSchema, demandNeo4jSchema]) {
        const error = await rejection(attempt(neo4j));
        expect(error).to.be.instanceOf(ConfigurationError);
        expect(error.message).to.contain(
          `was written by a later version (schema ${GRAPH_SCHEMA_VERSION + 1}, this one knows ${GRAPH_SCHEMA_VERSION})`,
        );
      }
    });
  });
}

async function dropSchema(neo4j: Neo4j): Promise<void> {
  await neo4j.write([{ text: 'MATCH (v:GraphSchema) DELETE v', given: {} }]);
  for (const row of await neo4j.read({ text: 'SHOW CONSTRAINTS YIELD name', given: {} })) {
    await neo4j.write([{ text: `DROP CONSTRAINT ${String(row['name'])} IF EXISTS`, given: {} }]);
  }
  for (const name of await namesOf(neo4j)) await neo4j.write([{ text: `DROP INDEX ${name} IF EXISTS`, given: {} }]);
}

/** Those of labels and types that the server makes for itself left out. */
async function namesOf(neo4j: Neo4j): Promise<readonly string[]> {
  const text =
    'SHOW INDEXES YIELD name, type, state WHERE type <> "LOOKUP" AND state = "ONLINE" RETURN name ORDER BY name';
  const rows = await neo4j.read({ text, given: {} });
  return rows.map((row) => String(row['name']));
}
