/** A backup restored with a list of later deletions: nothing of these memories is left in any store. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { saveBackup } from '../../../deploy/commands/backup/save-backup.js';
import {
  openDistributedJournal,
  openEmbeddedJournal,
  type OpenJournal,
} from '../../../deploy/commands/deletions/open-journal.js';
import { type ListStart, saveDeletions } from '../../../deploy/commands/deletions/save-deletions.js';
import { openDistributedTarget, openEmbeddedTarget } from '../../../deploy/commands/restore/open-target.js';
import { restoreArchive, type RestoreTarget } from '../../../deploy/commands/restore/restore-archive.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { randomIds } from '../../../shared/kernel/clock.js';
import { createResources, type Resources } from '../../../shared/kernel/concurrency/resources.js';
import { RuleError, ValidationError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startFleet } from '../../support/processes/fleet.js';
import { type Service, startEmbedded } from '../../support/processes/service.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { isServerWanted } from '../../support/servers/servers.js';

const ADMIN = 'admin-secret';
const variables = { ADMIN_API_TOKEN: ADMIN };
const signal = new AbortController().signal;
const logger = silentLogger;
/** Words of the deleted memory and of its association, and of nothing else. */
const SECRETS = ['xylophone', 'quokka'];

async function withResources<T>(use: (resources: Resources) => Promise<T>): Promise<T> {
  const resources = createResources();
  try {
    return await use(resources);
  } finally {
    await resources.close();
  }
}

/** A fleet is several processes on the same cores. */
const FLEET_TIMEOUT_MS = 120_000;

describe('restore with a list of deletions', () => {
  let folder: TempFolder;
  let source: Service;
  let archive = '';
  let list = '';
  let [kept, erased, earlier]: readonly string[] = [];

  before(async () => {
    folder = await createTempFolder();
    archive = join(folder.path, 'backup.tar.gz');
    list = join(folder.path, 'deletions.jsonl');
    source = await startEmbedded({ dataFolder: join(folder.path, 'source'), variables });
    [kept, erased, earlier] = await store(['The harbour sleeps', 'The xylophone is hidden', 'A storm came']);
    const reason = 'A quokka said so';
    const body = { memory1_id: erased, memory2_id: kept, type: 'PREFERS_OVER', strength: 0.7, reason };
    expect((await source.request('POST', '/associate', { body })).status).to.equal(201);
    await source.request('DELETE', `/memory/${earlier}`);
    await source.settled();
    await saveBackup({ file: archive, url: source.url, adminToken: ADMIN, history: true, signal });
    const [later] = await store(['Stored and deleted after the backup']);
    await source.request('DELETE', `/memory/${later}`);
    await source.request('DELETE', `/memory/${erased}`);
    await save(list, { archive });
  });
  after(async () => {
    await source.close();
    await folder.remove();
  });

  async function store(contents: readonly string[]): Promise<readonly string[]> {
    const { body } = await source.request('POST', '/memory/batch', {
      body: { memories: contents.map((content) => ({ content })) },
    });
    return body.memory_ids as string[];
  }

  /** The list of the running service. */
  function save(file: string, start: ListStart) {
    const environment = { PALIMPSEST_DATA_DIR: join(folder.path, 'source') };
    return saveWith(openEmbeddedJournal, environment, { file, start });
  }
  function saveWith(
    open: OpenJournal,
    environment: Readonly<Record<string, string | undefined>>,
    request: { readonly file: string; readonly start: ListStart },
  ) {
    return withResources(async (resources) =>
      saveDeletions(await open({ environment, logger, resources, signal }), { ...request, signal }),
    );
  }
  function restore(open: (resources: Resources) => Promise<RestoreTarget>, deletionsFile = list) {
    return withResources((resources) =>
      restoreArchive({ file: archive, deletionsFile, openTarget: () => open(resources), ids: randomIds, signal }),
    );
  }
  const embeddedTarget = (dataFolder: string) => (resources: Resources) =>
    openEmbeddedTarget({ environment: { PALIMPSEST_DATA_DIR: dataFolder }, logger, resources });

  async function expectErased({ request, url }: HttpCaller & { readonly url: string }): Promise<void> {
    expect((await request('GET', `/memory/${erased}`)).status).to.equal(404);
    expect((await request('GET', `/memory/${kept}`)).body.memory.content).to.equal('The harbour sleeps');
    const { body: recalled } = await request('GET', '/recall?query=xylophone');
    expect((recalled.results as { id: string }[]).map(({ id }) => id)).to.deep.equal([kept]);
    const [there, here] = await Promise.all(
      [source, { request }].map((service) => service.request('GET', `/memory/${erased}/history`)),
    );
    expect(here?.body.versions.at(-1)).to.include({ type: 'memory.deleted', time: there?.body.versions.at(-1).time });
    const again = join(folder.path, 'again.tar.gz');
    const { counts } = await saveBackup({ file: again, url, adminToken: ADMIN, history: true, signal });
    expect(counts.embeddings).to.equal(1);
    const words = gunzipSync(await readFile(again))
      .toString('latin1')
      .toLowerCase();
    for (const secret of SECRETS) expect(words.includes(secret), secret).to.equal(false);
  }

  it('lists the ids without words, and a last line', async () => {
    const lines = (await readFile(list, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).to.have.length(3);
    expect(lines[1]).to.have.all.keys('id', 'deleted_at', 'position');
    expect(lines[1].id).to.equal(erased);
    expect(lines[2]).to.include({ deletions: 2, through: lines[1].position });
    expect((await save(join(folder.path, 'all.jsonl'), { since: 0 })).deletions).to.equal(3);
  });

  it('refuses a position beyond the journal, and leaves no file', async () => {
    const file = join(folder.path, 'never.jsonl');
    expect(await rejection(save(file, { since: 1_000 }))).to.be.instanceOf(ValidationError);
    expect((await readdir(folder.path)).filter((name) => name.startsWith('never'))).to.deep.equal([]);
  });

  it('leaves no word of them in an embedded data folder', async () => {
    const dataFolder = join(folder.path, 'restored');
    expect((await restore(embeddedTarget(dataFolder))).deleted).to.equal(1);
    const restored = await startEmbedded({ dataFolder, variables });
    try {
      await restored.settled();
      await expectErased(restored);
      expect(await restored.engines.vectors.points([erased as MemoryId])).to.deep.equal([]);
    } finally {
      await restored.close();
    }
    for (const name of await readdir(dataFolder)) {
      const bytes = await readFile(join(dataFolder, name), 'latin1');
      for (const secret of SECRETS)
        expect(bytes.toLowerCase().includes(secret), `${name} has ${secret}`).to.equal(false);
    }
  });

  it('does not open the deployment for a bad list', async () => {
    const bad = join(folder.path, 'bad.jsonl');
    const [first = ''] = (await readFile(list, 'utf8')).split('\n');
    await writeFile(bad, `${first}\n`);
    let isOpened = false;
    const error = await rejection(
      restore((resources) => {
        isOpened = true;
        return embeddedTarget(join(folder.path, 'never'))(resources);
      }, bad),
    );
    expect(error).to.be.instanceOf(ValidationError).with.property('message').that.contains('bad.jsonl, line 2');
    expect(isOpened).to.equal(false);
  });

  it('refuses --after with an archive of another journal', async () => {
    const dataFolder = join(folder.path, 'other');
    const other = await startEmbedded({ dataFolder, variables });
    await other.close();
    const request = { file: join(folder.path, 'other.jsonl'), start: { archive } };
    const error = await rejection(saveWith(openEmbeddedJournal, { PALIMPSEST_DATA_DIR: dataFolder }, request));
    expect(error).to.be.instanceOf(RuleError);
  });

  const wantsServers =
    isServerWanted('postgres') && isServerWanted('neo4j') && process.env['PALIMPSEST_TEST_ENGINES'] !== 'real';
  if (wantsServers)
    it('leaves no word of them in a distributed deployment', async () => {
      const { deployment, remove } = await openTestDeployment();
      try {
        const environment = deployment.variables;
        const target = (resources: Resources) => openDistributedTarget({ environment, logger, resources });
        expect((await restore(target)).deleted).to.equal(1);
        const fleet = await startFleet(deployment, {
          variables: { ...variables, ALLOW_ANONYMOUS: 'true', PROJECTORS: 'vector-indexer,access-recorder' },
        });
        try {
          await fleet.settled();
          await expectErased(fleet);
        } finally {
          await fleet.close();
        }
        const file = join(folder.path, 'distributed.jsonl');
        const { deletions } = await saveWith(openDistributedJournal, environment, { file, start: { since: 0 } });
        expect(deletions).to.equal(2);
      } finally {
        await remove();
      }
    }).timeout(FLEET_TIMEOUT_MS);
});
