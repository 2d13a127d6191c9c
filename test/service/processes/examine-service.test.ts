/** The checks of a running embedded service: it holds its folder and its port, and answers at its address. */
import { expect } from 'chai';
import { examine } from '../../../deploy/commands/doctor/examine.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../../support/processes/child-service.js';

describe('examine next to a running service', () => {
  let folder: TempFolder;
  let service: ChildService;
  before(async () => {
    folder = await createTempFolder();
    service = await startChildService({ dataFolder: folder.path });
  });
  after(async () => {
    await service.stop('SIGTERM');
    await folder.remove();
  });

  it('finds it at its folder, port and address', async () => {
    const { port } = new URL(service.url);
    const findings = await examine(
      { PORT: port, PALIMPSEST_DATA_DIR: folder.path },
      { url: service.url, distributed: false, folder: folder.path, home: folder.path },
    );
    expect(findings.filter(({ state }) => state !== 'ok')).to.deep.equal([]);
    const messages = new Map(findings.map(({ check, message }) => [check, message]));
    expect(messages.get('data folder')).to.equal(`a service runs on ${folder.path}`);
    expect(messages.get('port')).to.match(new RegExp(`^Palimpsest \\S+ answers on ${port}$`, 'u'));
    expect(messages.get('service')).to.match(/^Palimpsest \S+ at http:\S+ is healthy$/u);
    expect(messages.get('clock')).to.match(/^[0-5] s \S+ /u);
  });
});
