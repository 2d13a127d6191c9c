/** The console on bad days: a service that stops and starts, a cut stream, a revoked token, long lists. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { skipWithReason } from '../../support/checks/not-run.js';
import { openTcpGate, type TcpGate } from '../../support/faults/tcp-gate.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { CHROMIUM, type ConsolePage, NO_CHROMIUM, openBrowser, openConsole } from '../../support/processes/browser.js';
import { type Service, startEmbedded } from '../../support/processes/service.js';

const TOKEN = 'secret';
const MANY = 10_000;
const BATCH = 500;

describe('the console on bad days', () => {
  let folder: TempFolder;
  let service: Service;
  /** The address of the service, which stays when the service restarts on another port. */
  let gate: TcpGate;
  let url: string;
  let browser: Browser;
  let tab: ConsolePage;

  before(async function () {
    if (CHROMIUM === null) return skipWithReason(this, NO_CHROMIUM);
    folder = await createTempFolder();
    await start();
    gate = await openTcpGate({ host: '127.0.0.1', port: portOf(service) });
    url = `http://127.0.0.1:${gate.port}`;
    browser = await openBrowser();
  });
  beforeEach(async () => {
    tab = await openConsole(browser, { url, token: TOKEN });
  });
  afterEach(() => tab.close());
  after(async () => {
    await browser?.close();
    await gate?.close();
    await service?.close();
    await folder?.remove();
  });

  const portOf = ({ url }: Service): number => Number(new URL(url).port);

  async function start(variables: Record<string, string> = {}): Promise<void> {
    service = await startEmbedded({
      dataFolder: folder.path,
      variables: { SERVICE_API_TOKEN: TOKEN, ...variables },
    });
    gate?.switchTo(portOf(service));
  }
  async function store(content: string): Promise<void> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { status } = await service.request('POST', '/memory', { headers, body: { content } });
    expect(status).to.equal(201);
  }

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

  it('asks for a token when the old one is revoked', async () => {
    const { page, open } = tab;
    await open('#/browse');
    await page.getByText('1 to ').waitFor();
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
    await open('#/browse?tag=imported');
    const give = async (lines: readonly string[]): Promise<void> => {
      const file = { name: 'memories.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines.join('\n')) };
      await page.getByLabel('JSONL file').setInputFiles(file);
      await page.getByRole('button', { name: 'Import' }).click();
    };
    await give(['{"content": "one"}', '{"content": 2}']);
    await page.getByText('Line 2 is not a JSON object with a content. Nothing was imported.').waitFor();
    const line = (number: number): string => JSON.stringify({ content: `Imported ${number}`, tags: ['imported'] });
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

  it(`lists ${MANY.toLocaleString('en')} memories page by page`, async () => {
    const memories = Array.from({ length: BATCH }, (_, number) => ({ content: `Filler ${number}` }));
    const headers = { authorization: `Bearer ${TOKEN}` };
    for (let stored = 0; stored < MANY; stored += BATCH)
      await service.request('POST', '/memory/batch', { headers, body: { memories } });
    const { page, open } = tab;
    await open('#/browse');
    await page.getByText(/^1 to 50 of 10,\d{3} memories$/u).waitFor();
    expect(await page.locator('ol.rows > li').count()).to.equal(50);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100').waitFor();
  });

  it('fits a narrow screen', async () => {
    const { page, open } = tab;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const hash of ['#/recall?query=filler', '#/browse', '#/live', '#/work', '#/webhooks', '#/keys', '#/health']) {
      await open(hash);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, hash).to.be.at.most(0);
    }
  });
});
