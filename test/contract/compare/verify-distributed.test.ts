/**
 * Runs `palimpsest verify --distributed` as a process over the real servers: one planted difference of each kind, and
 * its repair.
 */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { BUNDLED_DIMENSION, BUNDLED_MODEL } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import { applyStatements } from '../../../shared/engines/neo4j/applying/apply-events.js';
import type { Neo4j } from '../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphMark } from '../../../shared/engines/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphWriter } from '../../../shared/engines/neo4j/neo4j-graph-writer.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { createPostgres } from '../../../shared/engines/postgres/connection/postgres-pool.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { createPostgresJournalIdentity } from '../../../shared/engines/postgres/journal/postgres-journal-identity.js';
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import type { QdrantVectorIndex } from '../../../shared/engines/qdrant/open-qdrant-vector-index.js';
import { qdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { beginMark } from '../../../shared/integrity/journal-mark/check-mark.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { pointPayload } from '../../../shared/ports/point-payload.js';
import type { Point } from '../../../shared/ports/vectors.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { associated, numberedId, recorded, stored } from '../../support/fixtures/events.js';
import { areBothWanted } from '../../support/processes/both-compositions.js';
import { startChild } from '../../support/processes/child-process.js';
import type { TestDeployment } from '../../support/processes/fleet.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { openEmptyNeo4j } from '../../support/servers/neo4j.js';
import { openQdrantIndex } from '../../support/servers/qdrant.js';

if (areBothWanted()) {
  describe('verify command over servers', () => {
    let deployment: TestDeployment;
    let remove: () => Promise<void>;
    let postgres: Postgres;
    let neo4j: Neo4j;
    let vectors: QdrantVectorIndex;

    before(async () => {
      ({ deployment, remove } = await openTestDeployment());
      postgres = createPostgres({ config: postgresConfig(deployment.variables), logger: silentLogger });
      neo4j = await openEmptyNeo4j();
      vectors = await openQdrantIndex(qdrantConfig(deployment.variables), BUNDLED_DIMENSION);
      const space = { model: BUNDLED_MODEL, dimension: BUNDLED_DIMENSION, target: null };
      await postgresRecords(postgres).spaces.begin(space);
      const journal = createPostgresJournalIdentity({ postgres });
      await beginMark({ journal, graph: createNeo4jGraphMark({ neo4j }) });
      const events = await append(stored(1), stored(2), stored(3), associated(1, 2));
      await applyToGraph(events);
      await vectors.upsert(events.flatMap(pointOf));
    });
    after(async () => {
      await neo4j?.close();
      await postgres?.close();
      await remove?.();
    });

    async function run(...line: readonly string[]) {
      const child = startChild({
        main: 'deploy/commands/main.js',
        arguments: line,
        folder: deployment.folder.path,
        variables: { ...deployment.variables, NEO4J_TRANSACTION_TIMEOUT_MS: '20000' },
      });
      return { code: await child.ended, output: child.output() };
    }
    const verify = (...line: readonly string[]) => run('verify', '--distributed', ...line);

    /** To the journal alone, as applied. */
    async function append(...events: Parameters<typeof appendToPostgres>[1]): Promise<readonly RecordedEvent[]> {
      const appended = await appendToPostgres(postgres, events);
      await postgres.query('DELETE FROM outbox_pending');
      return appended;
    }
    async function applyToGraph(events: readonly RecordedEvent[]): Promise<void> {
      await createNeo4jGraphWriter({ neo4j }).apply(events);
    }

    it('finds no difference in equal stores', async () => {
      const { code, output } = await verify();
      expect(code, output).to.equal(0);
      expect(output).to.match(/4 subjects of the journal and 3 points of the index compared: no difference\n$/u);
    });

    it('names one planted difference of each store until its repair', async () => {
      const [journalled] = await append(stored(6));
      const foreign = recorded(stored(9), 1);
      if (journalled === undefined) throw new Error('One event was appended');
      // Without the mark, which would show an event that the journal lacks.
      await neo4j.write(applyStatements([foreign]));
      await vectors.upsert(pointOf(foreign));
      await vectors.remove([{ id: numberedId(2), version: 1 }]);
      const found = await verify('--wait', '0', '--json');
      expect(found.code, found.output).to.equal(1);
      expect(JSON.parse(found.output).differences).to.have.deep.members([
        { kind: 'graph lacks', subject: numberedId(6) },
        { kind: 'graph has extra', subject: numberedId(9) },
        { kind: 'index lacks', subject: numberedId(2) },
      ]);

      const rebuilt = await run('rebuild', 'graph', '--distributed');
      expect(rebuilt.code, rebuilt.output).to.equal(0);
      await neo4j.write([{ text: 'MATCH (m:Subject {id: $given.id}) DETACH DELETE m', given: { id: numberedId(9) } }]);
      await vectors.remove([{ id: numberedId(9), version: 1 }]);
      await vectors.upsert([...pointOf(journalled), ...pointOf(recorded(stored(2), 2))]);
      const repaired = await verify('--wait', '0');
      expect(repaired.code, repaired.output).to.equal(0);
      expect(repaired.output).to.match(/: no difference\n$/u);
    });
  });
}

function pointOf({ data, version }: RecordedEvent): readonly Point[] {
  if (data === null || !('memory' in data)) return [];
  const { memory } = data;
  const vector = new Float32Array(BUNDLED_DIMENSION).fill(0.1);
  return [{ id: memory.id, version, vector, model: BUNDLED_MODEL, payload: pointPayload(memory) }];
}
