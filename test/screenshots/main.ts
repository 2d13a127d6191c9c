/**
 * `npm run docs:screenshots`: pictures of each view of the console, in both colour schemes, of a service with content.
 */
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { createTempFolder } from '../support/fixtures/temp-folder.js';
import { openBrowser, openConsole } from '../support/processes/browser.js';
import { type Service, startEmbedded } from '../support/processes/service.js';
import { ASSOCIATIONS, MEMORIES, POISON, POISON_WINDOW } from './demo.js';

const FOLDER = fileURLToPath(new URL('../../../deploy/docs/images/', import.meta.url));
const TOKEN = 'screenshots';
const QUERY = 'which database does the shop use for orders';

const folder = await createTempFolder();
const service = await startEmbedded({
  dataFolder: folder.path,
  enriches: true,
  variables: { ADMIN_API_TOKEN: TOKEN, ENRICHMENT_MAX_ATTEMPTS: '1', ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0' },
  alter: (engines) => ({
    ...engines,
    graph: {
      ...engines.graph,
      newestWithin: async (request) => {
        if (request.windows.some(({ end }) => end.startsWith(POISON_WINDOW)))
          throw new Error('The graph answered with an unknown type');
        return engines.graph.newestWithin(request);
      },
    },
  }),
});
const ids = await fill(service);
const browser = await openBrowser();
for (const scheme of ['light', 'dark'] as const) await shootAll(browser, scheme);
await browser.close();
await service.close();
await folder.remove();

async function fill({ request, settled }: Service): Promise<readonly string[]> {
  const { body } = await request('POST', '/memory/batch', { body: { memories: MEMORIES } });
  const stored = body.memory_ids as readonly string[];
  const associations = ASSOCIATIONS.map(({ from, to, type }) => ({
    memory1_id: stored[from],
    memory2_id: stored[to],
    type,
    strength: 0.8,
  }));
  await request('POST', '/associate', { body: { associations } });
  await request('PATCH', `/memory/${stored[12]}`, {
    body: { content: 'The move to PostgreSQL ended without lost orders; MySQL is switched off on 15 March.' },
  });
  await request('POST', '/memory', { body: POISON });
  await settled();
  // The encoder compiles during its first texts.
  for (const query of [QUERY, 'payments', QUERY]) await request('GET', `/recall?query=${encodeURIComponent(query)}`);
  return stored;
}

async function shootAll(opened: Browser, scheme: 'light' | 'dark'): Promise<void> {
  const context = { viewport: { width: 1100, height: 720 }, colorScheme: scheme };
  const tab = await openConsole(opened, { url: service.url, adminToken: TOKEN, context });
  const views: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
    ['overview', '#/overview', (page) => page.getByRole('heading', { name: 'Growth in 30 days' }).waitFor()],
    ['recall', `#/recall?query=${encodeURIComponent(QUERY)}`, (page) => page.getByText('Why not this one?').waitFor()],
    ['memory', `#/memory/${ids[12]}`, relations],
    ['browse', '#/browse?tag=shop', (page) => page.getByText('1 to ').waitFor()],
    ['graph', `#/graph/${ids[12]}`, graph],
    ['live', '#/live', liveEvents],
    ['work', '#/work', (page) => page.getByText('Choose all').waitFor()],
    ['health', '#/health', (page) => page.getByText('The service is').waitFor()],
  ];
  for (const [name, hash, isShown] of views) {
    await tab.open(hash);
    await isShown(tab.page);
    if (name === 'work') await tab.page.waitForTimeout(7_000); // the line of the lag grows with each reading
    await tab.page.screenshot({ path: `${FOLDER}console-${name}-${scheme}.png` });
  }
  await tab.close();
}

/** From the relations on: the drawing is below what other views show already. */
async function relations(page: Page): Promise<void> {
  await page.getByText('Inner ring').waitFor();
  await page.evaluate(
    "[...document.querySelectorAll('h2')].find((h) => h.textContent === 'Relations').scrollIntoView()",
  );
}

/** With the most important memories in addition, when the layout has ended. */
async function graph(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add the 300 most important memories' }).click();
  await page.getByText('Arranging').waitFor({ state: 'detached', timeout: 60_000 });
  await page.getByRole('button', { name: 'Fit' }).click();
  await page.getByRole('application', { name: 'Drawing of the graph' }).press('Escape');
  await page.mouse.move(0, 0); // the live view holds still under the pointer
  await page.waitForTimeout(1_000); // the camera moves
}

/** Something must happen while the view is open. */
async function liveEvents(page: Page): Promise<void> {
  await page.getByText('Connected').waitFor();
  const content = `Ben shows the new checkout to the team at ${new Date().toISOString()}.`;
  await service.request('POST', '/memory', { body: { content, tags: ['team'] } });
  await service.request('GET', `/recall?query=${encodeURIComponent(QUERY)}`);
  await page.getByRole('listitem').getByText('memory.enriched').first().waitFor();
  await page.getByRole('listitem').getByText('memory.recall').first().waitFor();
}
