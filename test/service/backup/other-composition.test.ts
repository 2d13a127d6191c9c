/**
 * A backup of a service that takes writes, restored into the other composition: its states are those of the journal at
 * P1, journal, graph and index agree, and recalls of memories that no writer changes have equal answers. From embedded
 * to distributed and back.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { saveBackup } from '../../../deploy/commands/backup/save-backup.js';
import { openDistributedTarget, openEmbeddedTarget } from '../../../deploy/commands/restore/open-target.js';
import { restoreArchive, type RestoreTarget } from '../../../deploy/commands/restore/restore-archive.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { ArchiveManifest } from '../../../shared/integrity/backup-format/archive-format.js';
import { randomIds } from '../../../shared/kernel/clock.js';
import { createResources, type Resources } from '../../../shared/kernel/concurrency/resources.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import { differencesOfFleet, differencesOfService } from '../../support/checks/compare-deployment.js';
import { startSteadyWrites } from '../../support/checks/steady-writes.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import { numberedId } from '../../support/fixtures/events.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { areBothWanted } from '../../support/processes/both-compositions.js';
import { type Fleet, startFleet, type TestDeployment } from '../../support/processes/fleet.js';
import { type Service, startEmbedded } from '../../support/processes/service.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';

const ADMIN = 'admin-secret';
const variables = { ADMIN_API_TOKEN: ADMIN };
const { signal } = new AbortController();
const WRITES_PER_SECOND = 50;
/** Writes before and after the backup. */
const WRITES_AROUND = 50;
const ATTEMPTS = 10;
const KEPT = 100;
const RECALLS = 100;
/** Memories with vectors of their own, so that a backup takes some time. */
const FILLING = 1_000;
const FILLING_BATCH = 500;
const JOURNAL_PAGE = 500;
const WORDS = 'lighthouse harbour keeper storm lamp night boat rope anchor gull tide sail fog island letter map'.split(
  ' ',
);

if (areBothWanted() && process.env['PALIMPSEST_TEST_ENGINES'] !== 'real') {
  describe('backup under writes', function () {
    this.timeout(240_000);
    let folder: TempFolder;
    let source: Service;
    let deployment: TestDeployment;
    let remove: () => Promise<void>;
    let fleet: Fleet;

    before(async () => {
      folder = await createTempFolder();
      source = await startEmbedded({ dataFolder: join(folder.path, 'source'), variables });
      await fill(source);
    });
    after(async () => {
      await source?.close();
      await fleet?.close();
      await remove?.();
      await folder?.remove();
    });

    const archive = (name: string): string => join(folder.path, `${name}.tar.gz`);

    it('gives an equal distributed deployment', async () => {
      const { p1 } = await saveUnderWrites(source, archive('embedded'), 'e');
      await source.settled();
      const expected = await foldOf(source.engines.journal, p1);

      ({ deployment, remove } = await openTestDeployment());
      const open = (resources: Resources) =>
        openDistributedTarget({ environment: deployment.variables, logger: silentLogger, resources });
      const restored = await restoreInto(archive('embedded'), open);
      expectEqualStates(restored, expected);

      fleet = await startFleet(deployment, {
        variables: { ...variables, ALLOW_ANONYMOUS: 'true', PROJECTORS: 'vector-indexer,access-recorder' },
      });
      await fleet.settled();
      expect(await differencesOfFleet(deployment)).to.deep.equal([]);
      expect(await answersOf(fleet)).to.deep.equal(await answersOf(source));
    });

    it('gives an equal embedded service', async () => {
      const { p1 } = await saveUnderWrites(fleet, archive('distributed'), 'd');
      await fleet.settled();
      const expected = await readingJournalOf(deployment, (journal) => foldOf(journal, p1));

      const dataFolder = join(folder.path, 'restored');
      const open = (resources: Resources) =>
        openEmbeddedTarget({ environment: { PALIMPSEST_DATA_DIR: dataFolder }, logger: silentLogger, resources });
      expectEqualStates(await restoreInto(archive('distributed'), open), expected);

      const restored = await startEmbedded({ dataFolder, variables });
      try {
        await restored.settled();
        expect(await differencesOfService(restored)).to.deep.equal([]);
        expect(await answersOf(restored)).to.deep.equal(await answersOf(fleet));
      } finally {
        await restored.close();
      }
    });
  });
}

/** Memories that stay as they are, changed and deleted ones, and associations. */
async function fill({ request, settled }: Service): Promise<void> {
  const random = seededRandom(1);
  const sentence = () => Array.from({ length: 6 }, () => random.pick(WORDS)).join(' ');
  const kept = Array.from({ length: KEPT }, (_, index) => ({
    content: `${sentence()} in note ${index}`,
    tags: ['kept'],
    importance: random.next(),
  }));
  const stored = await request('POST', '/memory/batch', { body: { memories: kept } });
  expect(stored.status).to.equal(201);
  const ids = stored.body.memory_ids as readonly string[];
  for (const id of ids.slice(0, 5))
    await request('PATCH', `/memory/${id}`, { body: { content: `${sentence()}, changed`, importance: 0.9 } });
  for (const id of ids.slice(5, 10)) await request('DELETE', `/memory/${id}`);
  const associations = ids
    .slice(10, 30)
    .map((id, index) => ({ memory1_id: id, memory2_id: ids[index + 30], type: 'RELATES_TO', strength: 0.7 }));
  expect((await request('POST', '/associate', { body: { associations } })).status).to.equal(201);
  for (let first = 0; first < FILLING; first += FILLING_BATCH) {
    const memories = Array.from({ length: FILLING_BATCH }, (_, index) => ({
      id: numberedId(first + index),
      content: `Filling ${first + index}`,
      embedding: Array.from({ length: 384 }, () => random.next() - 0.5),
    }));
    const imported = await request('POST', '/admin/import', {
      headers: { 'x-admin-token': ADMIN },
      body: { memories },
    });
    expect(imported.status, JSON.stringify(imported.body)).to.equal(200);
  }
  await settled();
}

/** Saves a backup during writes that begin before it and end after it. */
async function saveUnderWrites(
  service: HttpCaller & { readonly url: string },
  file: string,
  name: string,
): Promise<ArchiveManifest> {
  const writes = startSteadyWrites(service, { name, perSecond: WRITES_PER_SECOND });
  await writes.reached(WRITES_AROUND);
  const save = () => saveBackup({ file, url: service.url, adminToken: ADMIN, history: false, signal });
  let manifest = await save();
  // On a fast machine a backup may take less time than there is between two writes.
  for (let attempt = 1; manifest.p1 === manifest.p0 && attempt < ATTEMPTS; attempt += 1) manifest = await save();
  await writes.reached(writes.count() + WRITES_AROUND);
  const perSecond = await writes.stop();
  const { p0, p1 } = manifest;
  process.stdout.write(`        ${perSecond.toFixed(0)} writes/s, ${p1 - p0} events between P0 and P1\n`);
  expect(p1, 'writes happened during the backup').to.be.greaterThan(p0);
  return manifest;
}

/** Restores, and returns the states in the restored journal. */
async function restoreInto(file: string, open: (resources: Resources) => Promise<RestoreTarget>) {
  const resources = createResources();
  try {
    let journal: RestoreTarget['journal'] | undefined;
    const openTarget = async () => {
      const target = await open(resources);
      journal = target.journal;
      return target;
    };
    const { manifest } = await restoreArchive({ file, openTarget, ids: randomIds, signal });
    if (journal === undefined) throw new Error('The restore did not open its target');
    return await foldOf(journal, manifest.p1);
  } finally {
    await resources.close();
  }
}

async function readingJournalOf<T>(
  { variables: environment }: TestDeployment,
  read: (journal: RestoreTarget['journal']) => Promise<T>,
): Promise<T> {
  const resources = createResources();
  try {
    const { journal } = await openDistributedTarget({ environment, logger: silentLogger, resources });
    return await read(journal);
  } finally {
    await resources.close();
  }
}

type States = ReadonlyMap<string, RecordedEvent>;

/** The last event of each subject up to a position. */
async function foldOf(journal: Pick<JournalReader, 'read'>, through: number): Promise<States> {
  const states = new Map<string, RecordedEvent>();
  for (let after = 0; ;) {
    const page = await journal.read({ after, through, limit: JOURNAL_PAGE });
    const last = page.at(-1);
    if (last === undefined) return states;
    for (const event of page) states.set(event.subject, event);
    after = last.position;
  }
}

/** What was deleted after P1 has no content in the source any more, so only its version can be compared. */
function expectEqualStates(restored: States, expected: States): void {
  expect([...restored.keys()].sort()).to.deep.equal([...expected.keys()].sort());
  for (const [subject, event] of expected) {
    const found = restored.get(subject);
    if (event.data === null) expect(found).to.include({ version: event.version, position: event.position });
    else expect(found, subject).to.deep.equal(event);
  }
}

/** The ids of what recalls find among the kept memories, which no writer changes. */
async function answersOf({ request }: HttpCaller): Promise<readonly (readonly string[])[]> {
  const random = seededRandom(7);
  const answers: string[][] = [];
  for (let number = 0; number < RECALLS; number += 1) {
    const query = `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)}`;
    const path = `/recall?query=${encodeURIComponent(query)}&tags=kept&limit=10`;
    const { status, body } = await request('GET', path);
    expect(status).to.equal(200);
    expect(body.results.length).to.be.greaterThan(0);
    answers.push((body.results as { id: string }[]).map(({ id }) => id));
  }
  return answers;
}
