/** The console on bad days, through each front: a service that stops and starts, a cut stream and a revoked token. */
import { expect } from 'chai';
import { ALL_FRONTS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { openTcpGate, type TcpGate } from '../../support/faults/tcp-gate.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { setUpPages } from '../../support/processes/console.js';
import { type Service, startEmbedded } from '../../support/processes/service.js';

const TOKEN = 'secret';

describe(`the console on bad days${GATEWAYS_NOTE}`, () => {
  let folder: TempFolder;
  let service: Service;
  /** The address of the service, which stays when the service restarts on another port. */
  let gate: TcpGate;
  let stores = 0;
  const { tab, through } = setUpPages(
    async () => {
      folder = await createTempFolder();
      await start();
      gate = await openTcpGate({ host: '127.0.0.1', port: portOf(service) });
      const close = async (): Promise<void> => {
        await gate.close();
        await service.close();
        await folder.remove();
      };
      return { url: `http://127.0.0.1:${gate.port}`, close };
    },
    { tokens: { token: TOKEN }, fronts: ALL_FRONTS },
  );

  const portOf = ({ url }: Service): number => Number(new URL(url).port);

  async function start(variables: Record<string, string> = {}): Promise<void> {
    service = await startEmbedded({
      dataFolder: folder.path,
      variables: { SERVICE_API_TOKEN: TOKEN, ...variables },
    });
    gate?.switchTo(portOf(service));
  }
  /** A number makes it new: after a restart, a request of before may count as repeated. */
  async function store(content: string): Promise<void> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const body = { content: `${content} ${(stores += 1)}` };
    const { status } = await service.request('POST', '/memory', { headers, body });
    expect(status).to.equal(201);
  }

  for (const front of ALL_FRONTS)
    describe(front.name, () => {
      through(front);

      it('resumes the stream where it stopped when the service restarts', async () => {
        const { page, open } = tab;
        await open('#/live');
        await page.getByText('Connected').waitFor();
        await store('Before the restart.');
        await page.getByRole('listitem').filter({ hasText: 'memory.stored' }).first().waitFor();
        await gate.refuse();
        await page.getByText('The stream is cut.').waitFor();
        await page.getByText('The service does not answer.').waitFor();
        await store('While the console was cut off.');
        await service.close();
        await start();
        await gate.accept();
        await page.getByText('Connected').waitFor();
        await page.getByText('The service does not answer.').waitFor({ state: 'detached' });
        await store('After the restart.');
        const stored = page.getByRole('listitem').filter({ hasText: 'memory.stored' });
        await stored.nth(2).waitFor();
        expect(await stored.count()).to.equal(3);
        await page.getByText('Events go on where they stopped').waitFor();
      });

      it('reads a view again once the service answers again', async () => {
        const { page, open } = tab;
        await open('#/health');
        await page.getByText('The service is healthy').waitFor();
        await gate.refuse();
        await page.getByText('The service does not answer.').waitFor();
        await gate.accept();
        await page.getByText('The service does not answer.').waitFor({ state: 'detached' });
        await page.getByText('The service is healthy').waitFor();
        await page.locator('.note.problem').waitFor({ state: 'detached' });
      });

      // The first view waits for both of its files, the second for that of the drawing.
      for (const start of ['browse', 'entities'])
        it(`loads the graph view after ${start} once the service answers again`, async () => {
          const { page, open } = tab;
          await store('A memory in the picture.');
          await open(`#/${start}`);
          await tab.hasRead();
          await gate.refuse();
          await page.getByRole('link', { name: 'Graph' }).click();
          await page.getByText('The service does not answer.').waitFor();
          await page.getByRole('main').getByRole('alert').first().waitFor();
          await gate.accept();
          await page.locator('.stage canvas').first().waitFor();
          await page.locator('.note.problem').waitFor({ state: 'detached' });
        });

      it('takes the 503 of a proxy in front of it for an outage', async () => {
        const { page, open } = tab;
        await open('#/browse');
        await tab.hasRead();
        const paths = /\/(?:readyz|health)$/u;
        for (const body of ['<h1>Service Unavailable</h1>', '{"message": "No healthy upstream"}']) {
          await page.route(paths, (route) => route.fulfill({ status: 503, body }));
          await page.getByRole('link', { name: 'Health' }).click();
          await page.getByText('The service does not answer.').waitFor();
          await page.unroute(paths);
          await page.getByText('The service is healthy').waitFor();
          await page.getByText('The service does not answer.').waitFor({ state: 'detached' });
          await page.getByRole('link', { name: 'Browse' }).click();
          await tab.hasRead();
        }
        const json = { status: 'error', code: 503, message: 'Graph database unavailable' };
        await page.route(paths, (route) => route.fulfill({ status: 503, json }));
        await page.getByRole('link', { name: 'Health' }).click();
        await page.getByText('Graph database unavailable').first().waitFor();
        expect(await page.getByText('The service does not answer.').count()).to.equal(0);
      });

      it('asks for a token when the old one is revoked', async () => {
        const { page, open } = tab;
        await open('#/browse');
        await page.getByText('Select all').waitFor();
        await service.close();
        await start({ SERVICE_API_TOKEN: 'another' });
        await page.getByLabel('Type').selectOption('Decision');
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByRole('alert').getByRole('button', { name: 'Enter a token' }).click();
        await page.getByLabel('API token').fill('another');
        await page.getByRole('button', { name: 'Use' }).click();
        await page.getByText('There are no memories here.').waitFor();
        await service.close();
        await start();
      });

      it('imports a file, names a wrong line, and exports all of it', async () => {
        const { page, open } = tab;
        const tag = `imported:${ALL_FRONTS.indexOf(front)}`;
        await open(`#/browse?tag=${tag}`);
        const give = async (lines: readonly string[]): Promise<void> => {
          const file = {
            name: 'memories.jsonl',
            mimeType: 'application/x-ndjson',
            buffer: Buffer.from(lines.join('\n')),
          };
          await page.getByLabel('JSONL file').setInputFiles(file);
          await page.getByRole('button', { name: 'Import' }).click();
        };
        await give(['{"content": "one"}', '{"content": 2}']);
        await page.getByText('Line 2 is not a JSON object with a content. Nothing was imported.').waitFor();
        const line = (number: number): string => JSON.stringify({ content: `Imported ${number}`, tags: [tag] });
        await give(Array.from({ length: 120 }, (_, number) => line(number)));
        await page.getByText('120 of 120 lines').waitFor();
        await page.getByText('1 to 50').waitFor();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Export all as JSONL' }).click(),
        ]);
        const chunks: Buffer[] = [];
        for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
        const exported = Buffer.concat(chunks).toString().trim().split('\n');
        expect(exported.length).to.equal(120);
        expect(JSON.parse(exported[0] ?? '')).to.include.keys('id', 'content', 'tags', 'timestamp');
      });
    });
});
