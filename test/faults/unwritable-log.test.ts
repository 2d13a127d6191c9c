/** A log that cannot be written: a dead or stalled log collector, or a full disk. The tests need no servers. */
import { expect } from 'chai';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type Child, startChild } from '../support/processes/child-process.js';

const STOPS_WITHIN_MS = 5_000;
const REQUESTS = 5;

const PROCESSES = [
  { name: 'the service', main: 'deploy/embedded/main.js', path: '/livez', variables: {} },
  {
    name: 'the gateway',
    main: 'deploy/gateway/main.js',
    path: '/recall',
    variables: { GATEWAY_QUERY_API_URLS: 'http://127.0.0.1:9' }, // each request fails and is logged
  },
];

describe('an unwritable log', () => {
  let folder: TempFolder;
  let child: Child | undefined;
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(async () => {
    await child?.stop('SIGKILL');
    await folder.remove();
  });

  for (const { name, main, path, variables } of PROCESSES) {
    const start = async (stderrFile?: string): Promise<string> => {
      child = startChild({
        main,
        folder: folder.path,
        variables: { PORT: '0', LOG_LEVEL: 'debug', PALIMPSEST_DATA_DIR: folder.path, ...variables },
        ...(stderrFile === undefined ? {} : { stderrFile }),
      });
      const [, port] = await child.prints(/http:\/\/localhost:(\d+)/u);
      return `http://127.0.0.1:${port}${path}`;
    };
    const expectServesAndStops = async (url: string): Promise<void> => {
      for (let sent = 0; sent < REQUESTS; sent += 1) {
        const response = await fetch(url, { signal: AbortSignal.timeout(STOPS_WITHIN_MS) });
        expect(response.status).to.be.oneOf([200, 502, 503]);
        await response.arrayBuffer();
      }
      const late = new Promise((resolve) => setTimeout(resolve, STOPS_WITHIN_MS, 'still runs after SIGTERM').unref());
      expect(await Promise.race([child?.stop('SIGTERM'), late])).to.equal(0);
    };

    it(`does not stop ${name} when its log collector dies`, async () => {
      const url = await start();
      child?.closeStderr();
      await expectServesAndStops(url);
    });

    it(`does not stop ${name} when the disk of its log is full`, async () => {
      await expectServesAndStops(await start('/dev/full'));
    });
  }
});
