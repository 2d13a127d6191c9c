/** The connection to a real Neo4j, and the schema that a database needs. */
import { expect } from 'chai';
import { connectNeo4j } from '../../../shared/engines/neo4j/connection/connect-neo4j.js';
import type { Neo4j } from '../../../shared/engines/neo4j/neo4j.js';
import {
  ensureNeo4jSchema,
  GRAPH_SCHEMA_VERSION,
  requireNeo4jSchema,
} from '../../../shared/engines/neo4j/schema/schema.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import { openEmptyNeo4j, testNeo4jConfig } from '../../support/servers/neo4j.js';
import { isServerWanted } from '../../support/servers/servers.js';

const PROCESSES = 10;

if (isServerWanted('neo4j')) {
  describe('connectNeo4j with a real server', () => {
    const refused = async (variables: Readonly<Record<string, string>>): Promise<string> => {
      const error = await rejection(connectNeo4j({ config: testNeo4jConfig(variables), logger: silentLogger }));
      expect(error).to.be.instanceOf(ConfigurationError);
      const { problems } = error as ConfigurationError; // checked in the line above
      return problems.join();
    };

    it('reports rejected credentials without the password', async () => {
      const problem = await refused({ NEO4J_USER: 'nobody', NEO4J_PASSWORD: 'a-wrong-secret' });
      expect(problem).to.match(
        /^Neo4j at \S+ refused user nobody with this password: set NEO4J_USER and NEO4J_PASSWORD to what it accepts$/u,
      );
      expect(problem).to.not.contain('a-wrong-secret');
    });

    it('reports a missing password in one line', async () => {
      expect(await refused({ NEO4J_PASSWORD: '' })).to.contain('refused a connection without a password');
    });

    it('reports a missing database in one line', async () => {
      expect(await refused({ NEO4J_DATABASE: 'elsewhere' })).to.match(/has no database elsewhere: set NEO4J_DATABASE/u);
    });
  });

  describe('Neo4j schema', function () {
    let neo4j: Neo4j;
    beforeEach(async () => {
      neo4j = await openEmptyNeo4j();
      await dropSchema(neo4j);
    });
    after(async () => (await openEmptyNeo4j()).close());
    afterEach(() => neo4j.close());

    it('is created by ten concurrent processes, and unchanged by a second run', async () => {
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
        await requireNeo4jSchema(neo4j);
      } finally {
        await Promise.all(processes.map((each) => each.close()));
      }
    });

    it('is required by serving processes, whose error says how to create it', async () => {
      const error = await rejection(requireNeo4jSchema(neo4j));
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(error.message).to.contain('run `npx palimpsest migrate`');
    });

    it('of a later version is rejected by both functions', async () => {
      await ensureNeo4jSchema(neo4j);
      await neo4j.write([
        {
          text: 'MATCH (v:GraphSchema) SET v.version = toInteger($given.version)',
          given: { version: GRAPH_SCHEMA_VERSION + 1 },
        },
      ]);
      for (const attempt of [ensureNeo4jSchema, requireNeo4jSchema]) {
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

/** Names of indexes and constraints, without the lookup indexes that the server creates itself. */
async function namesOf(neo4j: Neo4j): Promise<readonly string[]> {
  const text =
    'SHOW INDEXES YIELD name, type, state WHERE type <> "LOOKUP" AND state = "ONLINE" RETURN name ORDER BY name';
  const rows = await neo4j.read({ text, given: {} });
  return rows.map((row) => String(row['name']));
}
