/** A backup restored into an empty data folder: equal states and answers, and refusals before anything is written. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { saveBackup } from '../../../deploy/commands/backup/save-backup.js';
import { openEmbeddedTarget } from '../../../deploy/commands/restore/open-target.js';
import { restoreArchive, type RestoreTarget } from '../../../deploy/commands/restore/restore-archive.js';
import { randomIds } from '../../../shared/kernel/clock.js';
import { createResources, type Resources } from '../../../shared/kernel/concurrency/resources.js';
import { RuleError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startEmbedded, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-secret';
const variables = { ADMIN_API_TOKEN: ADMIN };
const signal = new AbortController().signal;
const QUERIES = ['lighthouse', 'harbour at night', 'keeper', 'storm'];

/** Memories with changes, an association, one that ended, a deletion, and a merged entity. */
async function fill({ request, settled }: Service): Promise<void> {
  const contents = [
    'The lighthouse is white',
    'The harbour sleeps at night',
    'The keeper lights the lamp',
    'A storm came',
  ];
  const ids: string[] = [];
  for (const content of contents)
    ids.push((await request('POST', '/memory', { body: { content, tags: ['coast'] } })).body.memory_id as string);
  const [first, second, third, fourth] = ids;
  await request('PATCH', `/memory/${second}`, { body: { importance: 0.9 } });
  for (const [memory1_id, memory2_id] of [
    [first, second],
    [third, fourth],
  ])
    await request('POST', '/associate', { body: { memory1_id, memory2_id, type: 'RELATES_TO', strength: 0.7 } });
  await request('DELETE', `/memory/${fourth}`);
  for (const tag of ['entity:tools:lamp', 'entity:tools:light'])
    await request('POST', '/memory', { body: { content: `A ${tag}`, tags: [tag] } });
  const merge = { headers: { 'X-Admin-Token': ADMIN }, body: { merge_into: 'light' } };
  expect((await request('POST', '/entity/lamp/merge', merge)).status).to.equal(200);
  await settled();
}

async function statesOf({ engines }: Pick<Service, 'engines'>) {
  const states = await engines.journal.states({ after: '', limit: 100 });
  return [...states].sort((a, b) => a.subject.localeCompare(b.subject));
}

async function positionsOf({ engines }: Pick<Service, 'engines'>) {
  const memories = await engines.graphScan.memories({ after: '', limit: 100 });
  return memories.map(({ memory: { id }, position }) => `${id} ${position}`);
}

async function answersOf({ request }: Pick<Service, 'request'>) {
  const answers = [];
  for (const query of QUERIES) {
    const { body } = await request('GET', `/recall?query=${encodeURIComponent(query)}&limit=10`);
    answers.push((body.results as { id: string }[]).map(({ id }) => id));
  }
  return answers;
}

async function restore(file: string, open: (resources: Resources) => Promise<RestoreTarget>) {
  const resources = createResources();
  try {
    return await restoreArchive({ file, openTarget: () => open(resources), ids: randomIds, signal });
  } finally {
    await resources.close();
  }
}

const embeddedTarget = (dataFolder: string) => (resources: Resources) =>
  openEmbeddedTarget({ environment: { PALIMPSEST_DATA_DIR: dataFolder }, logger: silentLogger, resources });

describe('restore of a backup', () => {
  let folder: TempFolder;
  let source: Service;
  let file = '';

  before(async () => {
    folder = await createTempFolder();
    source = await startService({ variables });
    await fill(source);
    file = join(folder.path, 'backup.tar.gz');
    await saveBackup({ file, url: source.url, adminToken: ADMIN, history: false, signal });
  });
  after(async () => {
    await source.close();
    await folder.remove();
  });

  it('gives an embedded service with equal states and equal recalls', async () => {
    const dataFolder = join(folder.path, 'restored');
    await restore(file, embeddedTarget(dataFolder));
    const restored = await startEmbedded({ dataFolder, variables });
    try {
      await restored.settled();
      expect(await statesOf(restored)).to.deep.equal(await statesOf(source));
      expect(await answersOf(restored)).to.deep.equal(await answersOf(source));
      expect(await positionsOf(restored)).to.deep.equal(await positionsOf(source));
      expect((await restored.request('GET', '/entity/lamp')).body.entity).to.include({
        slug: 'light',
        reference_count: 2,
      });
      const identities = await Promise.all([source, restored].map(({ engines }) => engines.archive.identity.state()));
      expect(identities[0]?.id).not.to.equal(identities[1]?.id);
    } finally {
      await restored.close();
    }
  });

  it('gives a service that continues the versions and positions', async () => {
    const dataFolder = join(folder.path, 'continued');
    await restore(file, embeddedTarget(dataFolder));
    const restored = await startEmbedded({ dataFolder, variables });
    try {
      const before = await statesOf(restored);
      const changed = before.find(({ type }) => type === 'memory.updated');
      const { status } = await restored.request('PATCH', `/memory/${changed?.subject ?? ''}`, {
        body: { importance: 0.2 },
      });
      expect(status).to.equal(200);
      const after = (await statesOf(restored)).find(({ subject }) => subject === changed?.subject);
      expect(after?.version).to.equal((changed?.version ?? 0) + 1);
      expect(after?.position).to.be.greaterThan(Math.max(...before.map(({ position }) => position)));
    } finally {
      await restored.close();
    }
  });

  it('refuses a deployment with memories', async () => {
    const dataFolder = join(folder.path, 'twice');
    await restore(file, embeddedTarget(dataFolder));
    const error = await rejection(restore(file, embeddedTarget(dataFolder)));
    expect(error).to.be.instanceOf(RuleError);
  });

  it('does not open the deployment for a foreign archive', async () => {
    const foreign = join(folder.path, 'foreign.tar.gz');
    await writeFile(foreign, gzipSync('foreign'));
    let isOpened = false;
    await rejection(
      restore(foreign, (resources) => {
        isOpened = true;
        return embeddedTarget(join(folder.path, 'never'))(resources);
      }),
    );
    expect(isOpened).to.equal(false);
  });
});
