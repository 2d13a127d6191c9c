/** Runs `palimpsest rebuild graph` as a process of its own. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { createNeo4jGraphReader } from '../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { openDatabase } from '../../../shared/engines/sqlite/threads/open-database.js';
import { appendToPostgres } from '../../support/adapters/journals.js';
import { EMPTY_SQLITE_GRAPH } from '../../support/adapters/marked-graphs.js';
import { numberedId, stored, updated } from '../../support/fixtures/events.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { startChildService } from '../../support/processes/child-service.js';
import { openEmptyNeo4j, wipeNeo4j } from '../../support/servers/neo4j.js';
import { openTemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted, neo4jCredentials, serverAddress } from '../../support/servers/servers.js';

/** One test starts seven processes, one after the other. */
const TIMEOUT_MS = 180_000;

describe('rebuild command', function () {
  this.timeout(TIMEOUT_MS);
  let folder: TempFolder;
  beforeEach(async () => (folder = await createTempFolder()));
  afterEach(() => folder.remove());

  it('rebuilds the data file of a stopped service, not of a running one', async () => {
    const first = await startChildService({ dataFolder: folder.path });
    const { body } = await first.request('POST', '/memory', { body: { content: 'Kept in the journal' } });
    const running = await run(folder, ['graph']);
    expect(running.code).to.equal(1);
    expect(running.output).to.match(/in use by another process: stop that one/u);
    await first.stop('SIGTERM');

    const database = openDatabase(join(folder.path, 'palimpsest.db'), { busyTimeoutMs: 0 });
    database.exec(EMPTY_SQLITE_GRAPH);
    database.close();
    const { code, output } = await run(folder, ['graph']);
    expect(code, output).to.equal(0);
    expect(output).to.match(/^The graph has the state of the journal: \d+ events of \d+ subjects applied in /mu);

    const second = await startChildService({ dataFolder: folder.path });
    const read = await second.request('GET', `/memory/${body.memory_id}`);
    const health = await second.request('GET', '/health');
    await second.stop('SIGTERM');
    expect(read.body.memory.content).to.equal('Kept in the journal');
    expect(health.body.problems).to.deep.equal([]);
  });

  it('accepts the loss of acknowledged writes, which the service refuses', async () => {
    const first = await startChildService({ dataFolder: folder.path });
    const before = await first.request('POST', '/memory', { body: { content: 'Before' } });
    await first.stop('SIGTERM');
    const early = await run(folder, ['history', '--accept-loss']);
    expect(early.code).to.equal(1);
    expect(early.output).to.contain('The journal did not go back: graph and journal belong together');

    const second = await startChildService({ dataFolder: folder.path });
    const { body: lost } = await second.request('POST', '/memory', { body: { content: 'Lost' } });
    await second.stop('SIGKILL');
    await rm(join(folder.path, 'palimpsest.db-wal'));

    const third = await startChildService({ dataFolder: folder.path });
    const refused = await third.request('POST', '/memory', { body: { content: 'Refused' } });
    const { body: health } = await third.request('GET', '/health');
    await third.stop('SIGTERM');
    expect(refused.status).to.equal(503);
    expect(refused.body.message).to.match(
      /^The journal went back in time: event [\da-f-]{36} was committed at position/u,
    );
    expect(health.problems).to.include(refused.body.message);

    const asked = await run(folder, ['history']);
    expect(asked.code).to.equal(1);
    expect(asked.output).to.contain('Nothing was changed: run the same command with --accept-loss');
    const accepted = await run(folder, ['history', '--accept-loss']);
    expect(accepted.code, accepted.output).to.equal(0);
    expect(accepted.output).to.contain('commands are accepted again');

    const last = await startChildService({ dataFolder: folder.path });
    const stored = await last.request('POST', '/memory', { body: { content: 'After' } });
    const gone = await last.request('GET', `/memory/${lost.memory_id}`);
    const { body: after } = await last.request('GET', '/health');
    const readWith = async ({ headers }: typeof before) => {
      const position = headers.get(RECEIPT_HEADER);
      const reads = [`/recall?query=after&consistent_with=${position}`, `/events?after=${position}`];
      return Promise.all(reads.map(async (path) => (await last.request('GET', path)).status));
    };
    expect(await readWith(stored)).to.deep.equal([200, 200]);
    expect(await readWith(before), 'a receipt of the former history').to.deep.equal([400, 400]);
    await last.stop('SIGTERM');
    expect(stored.status).to.equal(201);
    expect(gone.status).to.equal(404);
    expect(after.problems).to.deep.equal([]);
  });

  it('refuses a folder without data, and a wrong argument', async () => {
    const wrong = await run(folder, ['graph']);
    expect(wrong.code).to.equal(1);
    expect(wrong.output).to.contain('has no palimpsest.db: set PALIMPSEST_DATA_DIR');
    const unknown = await run(folder, ['vectors']);
    expect(unknown.code).to.equal(2);
    expect(unknown.output).to.contain("value 'vectors' is invalid for argument 'projection'");
  });
});

if (isServerWanted('postgres') && isServerWanted('neo4j')) {
  describe('rebuild command over servers', function () {
    this.timeout(TIMEOUT_MS);
    let folder: TempFolder;
    beforeEach(async () => (folder = await createTempFolder()));
    afterEach(() => folder.remove());

    it('rebuilds Neo4j from Postgres, and refuses a foreign graph', async () => {
      const temporary = await openTemporaryPostgres();
      const neo4j = await openEmptyNeo4j();
      try {
        await appendToPostgres(temporary.postgres, [stored(1), stored(2), updated(1, 2)]);
        await temporary.postgres.query('DELETE FROM outbox_pending');
        await wipeNeo4j(neo4j);
        const { user, password } = neo4jCredentials();
        const variables = {
          POSTGRES_URL: temporary.config.url,
          NEO4J_URL: serverAddress('neo4j'),
          NEO4J_USER: user,
          NEO4J_PASSWORD: password,
          NEO4J_TRANSACTION_TIMEOUT_MS: '20000',
        };
        const { code, output } = await run(folder, ['graph', '--distributed'], variables);
        expect(code, output).to.equal(0);
        const found = await createNeo4jGraphReader({ neo4j }).memories([1, 2].map(numberedId));
        expect(found.map(({ version }) => version)).to.deep.equal([2, 1]);

        await neo4j.write([{ text: "MATCH (v:GraphSchema {name: 'graph'}) SET v.journal_id = 'another'", given: {} }]);
        const foreign = await run(folder, ['graph', '--distributed'], variables);
        expect(foreign.code).to.equal(1);
        expect(foreign.output).to.match(/^The graph belongs to journal another, .*belong together\n$/u);
      } finally {
        await neo4j.close();
        await temporary.remove();
      }
    });
  });
}

async function run(folder: TempFolder, line: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const child = startChild({
    main: 'deploy/commands/main.js',
    arguments: ['rebuild', ...line],
    folder: folder.path,
    variables: { PALIMPSEST_DATA_DIR: folder.path, ...variables },
  });
  return { code: await child.ended, output: child.output() };
}
