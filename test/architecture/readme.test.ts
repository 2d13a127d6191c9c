/** Checks the README: the commands of its first minute run unchanged against a service that has just started. */
import { pasteFirstMinute } from '../support/checks/first-minute.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { startChildService } from '../support/processes/child-service.js';

describe('the README', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  it('has working commands that store, associate and recall memories', async () => {
    const service = await startChildService({ dataFolder: folder.path });
    try {
      await pasteFirstMinute(service.url, folder.path);
    } finally {
      await service.stop('SIGTERM');
    }
  });
});
