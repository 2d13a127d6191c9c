/**
 * One process per data folder: a second process prints the reason and ends. A killed process does not block the next
 * one.
 */
import { expect } from 'chai';
import { differencesOfFolder } from '../support/checks/compare-deployment.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { runChildService, startChildService } from '../support/processes/child-service.js';

describe('a second process on the same data folder', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(() => folder.remove());

  it('ends with exit code 1 and names the folder', async () => {
    const first = await startChildService({ dataFolder: folder.path });
    const second = await runChildService({ dataFolder: folder.path });
    const health = await first.request('GET', '/health');
    await first.stop('SIGTERM');
    expect(second.exitCode).to.equal(1);
    expect(second.output)
      .to.contain(folder.path)
      .and.to.match(/in use by another process/u);
    expect(health.status).to.equal(200);
  });

  it('starts after SIGKILL of the first process', async () => {
    const first = await startChildService({ dataFolder: folder.path });
    const stored = await first.request('POST', '/memory', { body: { content: 'Stored before the kill' } });
    expect(stored.status).to.equal(201);
    await first.stop('SIGKILL');
    const next = await startChildService({ dataFolder: folder.path });
    expect((await next.request('GET', '/health')).status).to.equal(200);
    expect(await differencesOfFolder(folder.path)).to.deep.equal([]);
    expect(await next.stop('SIGTERM')).to.equal(0);
  });
});
