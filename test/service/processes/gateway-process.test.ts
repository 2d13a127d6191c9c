/** The gateway in Node as a process of its own: it starts, forwards requests to the APIs, and stops in order. */
import { expect } from 'chai';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const MAIN = 'deploy/gateway/main.js';

describe('gateway process', () => {
  let folder: TempFolder;
  let api: StubInstance;
  beforeEach(async () => {
    [folder, api] = await Promise.all([createTempFolder(), openStubInstance('query')]);
  });
  afterEach(() => Promise.all([folder.remove(), api.close()]));

  it('serves until SIGTERM, and finishes a running request first', async () => {
    const child = startChild({
      main: MAIN,
      folder: folder.path,
      variables: { PORT: '0', GATEWAY_QUERY_API_URLS: api.url },
    });
    const [url = ''] = await child.prints(/http:\/\/localhost:\d+/u);
    const arrived = new Promise<() => void>((resolve) => {
      api.respondWith((_, response) =>
        resolve(() => {
          response.end('{"late":true}');
        }),
      );
    });
    const answer = fetch(`${url}/recall`);
    const finish = await arrived;
    child.signal('SIGTERM');
    await child.prints(/stopping/u);
    finish();
    expect(await (await answer).json()).to.deep.equal({ late: true });
    expect(await child.ended).to.equal(0);
  });

  it('ends with 1 and reports every problem of its configuration', async () => {
    const child = startChild({
      main: MAIN,
      folder: folder.path,
      variables: { PORT: '0', GATEWAY_QUERY_API_URLS: 'query-api', GATEWAY_COMMAND_API_URLS: ',' },
    });
    expect(await child.ended).to.equal(1);
    expect(child.output()).to.include('GATEWAY_QUERY_API_URLS').and.include('GATEWAY_COMMAND_API_URLS');
  });
});
