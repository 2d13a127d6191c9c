/** What a release has written opens unchanged in the next one: the steps of both schemas, and a recorded data file. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { BUNDLED_MODEL } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import { migratePostgres } from '../../../shared/engines/postgres/connection/migrate-postgres.js';
import type { Postgres } from '../../../shared/engines/postgres/connection/postgres.js';
import { postgresPorts } from '../../../shared/engines/postgres/open.js';
import { POSTGRES_SCHEMA } from '../../../shared/engines/postgres/schema/schema.js';
import { DATA_FILE } from '../../../shared/engines/sqlite/open.js';
import { SQLITE_SCHEMA } from '../../../shared/engines/sqlite/schema/schema.js';
import { REPOSITORY } from '../../support/checks/source-files.js';
import { until } from '../../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startEmbedded } from '../../support/processes/service.js';
import { openTemporaryPostgres, type TemporaryPostgres } from '../../support/servers/postgres.js';
import { isServerWanted } from '../../support/servers/servers.js';

/** For each part of a schema, the prefixes of the SHA-256 of its released steps, or the names of their procedures. */
const RELEASED = {
  sqlite: {
    journal: ['5a1ef570961f', '6eb19a9a628f', '7a10a29967f8', 'e984133684f3'],
    commit: ['3fbb5dacce0d', 'ddf61d18fae2'],
    graph: [
      '8e9655a192f7',
      '5a0e122591be',
      'backfillMetadata',
      '9d6ce9102094',
      'c3243416c275',
      'backfillWords',
      'dd3ee46f8b92',
      '1c835a85d602',
      'd067384966ec',
      '176630b69fb8',
      '0878d8a06400',
      '4b82e3a95659',
    ],
    'embedding-cache': ['c4a299b1cd77'],
    stream: ['cf0433c6e6e4'],
    vectors: ['8dd1f05d54be', '326c0661fcbd'],
    vector_spaces: ['e154e056bb4b'],
    jobs: ['104524161126'],
    consolidation: ['a1d61e48ddce'],
  },
  postgres: {
    journal: [
      'ed18b7865db8',
      '88818e460484',
      'ed099dc008c8',
      'c12bd955e046',
      '97d811721eec',
      '66f98e3c0ba1',
      'e2407b8e0252',
    ],
    embedding_cache: ['543c905a5c4e'],
    stream: ['6d7e27bebd15'],
    jobs: ['d0ce8e0be55b'],
    consolidation: ['2b5abce4d657'],
    vector_spaces: ['e37fbc270956'],
  },
} as const;

describe('a released schema', () => {
  for (const [engine, schema] of Object.entries({ sqlite: SQLITE_SCHEMA, postgres: POSTGRES_SCHEMA })) {
    it(`keeps its steps and their order: ${engine}`, () => {
      const released = RELEASED[engine as keyof typeof RELEASED] as Readonly<Record<string, readonly string[]>>;
      const steps = new Map(schema.map((part) => [part.component, part.steps.map(stepName)]));
      for (const [part, names] of Object.entries(released))
        expect(steps.get(part)?.slice(0, names.length), part).to.deep.equal(names);
    });
  }
});

function stepName(step: (typeof SQLITE_SCHEMA)[number]['steps'][number]): string {
  return typeof step === 'string' ? createHash('sha256').update(step).digest('hex').slice(0, 12) : step.name;
}

/** The encoder of background work has a low priority, so on a busy machine it takes seconds to load the model. */
const BACKGROUND_MS = 90_000;

describe('a data file of an earlier release', () => {
  let folder: TempFolder;
  let service: Service;
  before(async () => {
    folder = await createTempFolder();
    const recorded = await readFile(join(REPOSITORY, 'test/contract/migrate/released/data-file-1.db.gz'));
    await writeFile(join(folder.path, DATA_FILE), gunzipSync(recorded));
    service = await start({ PROJECTORS: 'access-recorder' }); // without the indexer, which would move the vectors
  });
  after(async () => {
    await service.close();
    await folder.remove();
  });

  const start = (variables: Readonly<Record<string, string>> = {}) =>
    startEmbedded({ dataFolder: folder.path, variables: { ADMIN_API_TOKEN: 'admin-token', ...variables } });

  async function recall(query: string) {
    const { body } = await service.request('GET', `/recall?${new URLSearchParams({ query, limit: '1' })}`);
    return body.results[0];
  }

  it('opens with its memories, associations and vectors', async () => {
    const { body: health } = await service.request('GET', '/health');
    expect(health).to.include({ memory_count: 3, vector_count: 3 });
    const [tables, gauge] = [await recall('tide tables'), await recall('Marianne Keller')];
    expect(tables.memory.content).to.equal('The harbour master keeps the tide tables in the blue cabinet');
    const { memory } = (await service.request('GET', `/memory/${tables.id}`)).body;
    const written = memory.relations.filter(({ type }: { type: string }) => type === 'RELATES_TO');
    expect(written).to.have.length(1);
    expect(written[0]).to.include({ strength: 0.8 });
    expect(written[0].memory.id).to.equal(gauge.id);
  });

  it('answers by words until its vectors are replaced', async () => {
    const { status, body } = await service.request('GET', '/recall?query=ferry&limit=1');
    expect(status).to.equal(200);
    expect(body.results[0]).to.include({ match_type: 'keyword' });
    expect(body.results[0].memory.content).to.equal('The ferry to Bergen leaves at noon');
    expect(body.degraded[0].reason).to.contain('wait for the end of its rebuild');
  });

  it('moves its vectors to the model of this release by itself', async function () {
    this.timeout(BACKGROUND_MS + 10_000);
    await service.close();
    service = await start();
    const rebuilt = async () => {
      const { body } = await service.request('GET', '/admin/jobs', { headers: { 'X-Admin-Token': 'admin-token' } });
      return body.jobs[0]?.finished_at && body.jobs;
    };
    const jobs = await until('the rebuild has ended', rebuilt, BACKGROUND_MS);
    expect(jobs).to.have.length(1);
    expect(jobs[0]).to.deep.include({ kind: 'rebuild-vectors', state: 'done', error: null });
    expect(jobs[0].progress).to.deep.include({ model: BUNDLED_MODEL, filled: 3, failed: 0 });
    expect((await recall('which boat departs at midday')).memory.content).to.equal(
      'The ferry to Bergen leaves at noon',
    );
    const { body: health } = await service.request('GET', '/health');
    expect(health.vector_dimensions).to.deep.equal({
      configured: 384,
      effective: 384,
      collection: 384,
      mismatch: false,
    });
  });

  it('is the default tenant, and another one begins empty', async () => {
    const call = async (method: string, path: string, body?: object, bearer?: string) => {
      const headers = bearer === undefined ? { 'X-Admin-Token': 'admin-token' } : { Authorization: `Bearer ${bearer}` };
      return (await service.request(method, path, { headers, ...(body && { body }) })).body;
    };
    expect((await call('GET', '/admin/tenants')).tenants).to.deep.equal([]);
    const { events } = await call('GET', '/events');
    expect(events).to.not.have.length(0);
    expect(events.filter((event: object) => 'tenant' in event)).to.deep.equal([]);
    const { tenant } = await call('POST', '/admin/tenants', { name: 'blue' });
    const given = { name: 'agent', scopes: ['memories:read'] };
    const { secret } = await call('POST', `/admin/tenants/${tenant.id}/keys`, given);
    expect((await call('GET', '/memories', undefined, secret)).memories).to.deep.equal([]);
    expect((await call('GET', '/memories')).memories).to.have.length(3);
  });

  it('takes further memories', async () => {
    const stored = await service.request('POST', '/memory', { body: { content: 'The lighthouse keeper is on leave' } });
    expect(stored.status).to.equal(201);
    await service.settled();
    expect((await recall('lighthouse keeper')).id).to.equal(stored.body.memory_id);
  });
});

type Row = Readonly<Record<string, unknown>>;
type RecordedDatabase = {
  readonly tables: Readonly<Record<string, readonly Row[]>> & {
    readonly schema_migrations: readonly { readonly room: string; readonly version: number }[];
  };
  readonly sequences: Readonly<Record<string, number>>;
};

if (isServerWanted('postgres')) {
  describe('a Postgres database of an earlier release', () => {
    let temporary: TemporaryPostgres;
    let recorded: RecordedDatabase;
    before(async () => {
      const file = await readFile(join(REPOSITORY, 'test/contract/migrate/released/postgres-1.json.gz'));
      recorded = JSON.parse(gunzipSync(file).toString()) as RecordedDatabase;
      temporary = await openTemporaryPostgres({ empty: true });
      await fill(temporary.postgres, recorded);
      await migratePostgres(temporary.postgres, POSTGRES_SCHEMA);
    });
    after(() => temporary.remove());

    it('opens with its events, identity and vectors', async () => {
      const { journal, identity, embeddings } = postgresPorts(temporary.postgres);
      const events = await journal.read({ after: 0, limit: 100 });
      const rows = recorded.tables['journal'] ?? [];
      expect(events.map(({ id }) => id)).to.have.members(rows.map(({ event_id: id }) => id));
      const contents = events.flatMap((one) => (one.type === 'memory.stored' ? [one.data?.memory.content] : []));
      expect(contents).to.deep.equal([
        'The harbour master keeps the tide tables in the blue cabinet',
        'Marianne Keller repairs the tide gauge every spring',
        'The ferry to Bergen leaves at noon',
        undefined, // deleted, so its content is erased
      ]);
      expect(await identity.state()).to.include({ id: recorded.tables['journal_identity']?.[0]?.['id'] });
      expect(await embeddings.scan({ after: null, limit: 100 })).to.have.length(3);
    });
  });
}

/** Makes the tables by the steps of the recorded versions, which are released and never change, and fills them. */
async function fill(postgres: Postgres, { tables, sequences }: RecordedDatabase): Promise<void> {
  const versions = new Map(tables.schema_migrations.map(({ room, version }) => [room, version]));
  const schema = POSTGRES_SCHEMA.map(({ component, steps }) => ({
    component,
    steps: steps.slice(0, versions.get(component) ?? 0),
  }));
  await migratePostgres(postgres, schema);
  for (const [table, rows] of Object.entries(tables)) {
    await postgres.query(`DELETE FROM ${table}`);
    const insert = `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1)`;
    await postgres.query(insert, [JSON.stringify(rows)]);
  }
  for (const [name, last] of Object.entries(sequences)) await postgres.query('SELECT setval($1, $2)', [name, last]);
}
