import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { runChildService, startChildService } from '../../support/processes/child-service.js';

const TOKEN = 'a-token-of-the-api';
const NAMED = 'a-token-with-a-name';

describe('tokens of a process', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(() => folder.remove());

  it('come from .env, and open the API to other Hosts', async function () {
    this.timeout(60_000); // three starts
    const statusWith = async (line: string): Promise<number | undefined> => {
      await writeFile(join(folder.path, '.env'), `${line}\n`);
      const service = await startChildService({ dataFolder: folder.path });
      const { status: withoutToken } = await service.request('GET', '/recall');
      expect(withoutToken).to.equal(line.includes(TOKEN) ? 401 : 200);
      const status = await new Promise<number | undefined>((resolve, reject) => {
        get(`${service.url}/recall`, { headers: { host: 'memory.example', 'x-api-key': TOKEN } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).once('error', reject);
      });
      await service.stop('SIGTERM');
      const note = 'It has no token, so it answers this machine alone: set SERVICE_API_TOKEN, or ALLOW_ANONYMOUS=true';
      expect(service.output().includes(note), 'note at the start').to.equal(status === 403);
      return status;
    };
    expect(await statusWith('')).to.equal(403);
    expect(await statusWith(`AUTOMEM_API_TOKEN=${TOKEN}`)).to.equal(200);
    expect(await statusWith('ALLOW_ANONYMOUS=true')).to.equal(200);
  });

  it('stop the start when two names of one token have different values', async () => {
    const { exitCode, output } = await runChildService({
      dataFolder: folder.path,
      variables: { SERVICE_API_TOKEN: TOKEN, AUTOMEM_API_TOKEN: NAMED },
    });
    expect(exitCode).to.equal(1);
    expect(output).to.contain(
      'SERVICE_API_TOKEN and AUTOMEM_API_TOKEN are both set, to different values: unset one of them',
    );
    expect(output).to.not.contain(TOKEN).and.not.contain(NAMED);
  });
});
