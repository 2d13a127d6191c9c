/**
 * `npm run docs:screenshots`: pictures of the views of the console, in both colour schemes, of a service with the demo
 * notes. It makes those that the documents show; `-- --folder DIR` makes all of them in that folder. `--width` and
 * `--height` are the size of the window in pixels.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { createTempFolder } from '../support/fixtures/temp-folder.js';
import { openBrowser, openConsole } from '../support/processes/browser.js';
import { startEmbedded } from '../support/processes/service.js';
import { demo } from './demo.js';
import { fill } from './fill.js';

const TOKENS = { token: 'screenshots', adminToken: 'screenshots of an administrator' };
const QUERY = 'what is the time limit of a payment';
/** The enricher reads the time before this memory, and fails there: a dead letter. */
const POISON = {
  content: 'The old ticket system closes at the end of the year.',
  timestamp: '2025-12-31T00:00:00Z',
  window: '2025-12-30T23:59:59',
};

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    width: { type: 'string', default: '1100' },
    height: { type: 'string', default: '720' },
  },
});
const docs = fileURLToPath(new URL('../../../deploy/docs/', import.meta.url));
const target = options.folder ?? join(docs, 'images');
await mkdir(target, { recursive: true });
const shown = options.folder === undefined ? await readPages() : null;

const folder = await createTempFolder();
const service = await startEmbedded({
  dataFolder: folder.path,
  enriches: true,
  variables: {
    SERVICE_API_TOKEN: TOKENS.token,
    ADMIN_API_TOKEN: TOKENS.adminToken,
    ENRICHMENT_MAX_ATTEMPTS: '1',
    ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0',
  },
  alter: (engines) => ({
    ...engines,
    graph: {
      ...engines.graph,
      newestWithin: async (request) => {
        if (request.windows.some(({ end }) => end.startsWith(POISON.window)))
          throw new Error('The graph answered with an unknown type');
        return engines.graph.newestWithin(request);
      },
    },
  }),
});
const ids = await fill(service, demo(), TOKENS);
await store({ content: POISON.content, timestamp: POISON.timestamp, tags: ['infra'], importance: 0.3 });
await service.settled();
await addWebhooks();
// The encoder compiles during its first texts.
for (const query of [QUERY, 'payments', QUERY]) await recall(query);
const browser = await openBrowser();
for (const scheme of ['light', 'dark'] as const) await shootAll(browser, scheme);
await browser.close();
await service.close();
await folder.remove();

async function readPages(): Promise<string> {
  const pages = (await readdir(docs)).filter((name) => name.endsWith('.md')).map((name) => join(docs, name));
  return (await Promise.all([join(docs, '../../README.md'), ...pages].map((file) => readFile(file, 'utf8')))).join(
    '\n',
  );
}

async function store(body: object): Promise<void> {
  await service.request('POST', '/memory', { body, headers: { authorization: `Bearer ${TOKENS.token}` } });
}
/** One that is off, and one whose address cannot be reached. */
async function addWebhooks(): Promise<void> {
  const headers = { authorization: `Bearer ${TOKENS.token}`, 'x-admin-token': TOKENS.adminToken };
  for (const [url, change] of [
    ['https://audit.example.org/palimpsest', { enabled: false }],
    ['https://bugs.example.org/new', { types: ['memory.stored'], tags: ['bug'] }],
  ] as const) {
    const { body } = await service.request('POST', '/admin/webhooks', { body: { url }, headers });
    await service.request('PATCH', `/admin/webhooks/${body.webhook.id}`, { body: change, headers });
  }
}
async function recall(query: string): Promise<void> {
  const headers = { authorization: `Bearer ${TOKENS.token}` };
  await service.request('GET', `/recall?query=${encodeURIComponent(query)}`, { headers });
}

/** Each view of the navigation, after the address and the action below where it has one. */
async function shootAll(opened: Browser, scheme: 'light' | 'dark'): Promise<void> {
  const viewport = { width: Number(options.width), height: Number(options.height) };
  const tab = await openConsole(opened, { url: service.url, ...TOKENS, context: { viewport, colorScheme: scheme } });
  const done = ids.get('checkout move done') ?? '';
  const addresses: Readonly<Record<string, string>> = {
    recall: `#/recall?query=${encodeURIComponent(QUERY)}`,
    memory: `#/memory/${done}`,
    browse: '#/browse?tag=shop',
    graph: `#/graph/${done}?hide=PRECEDED_BY,SIMILAR_TO`,
  };
  const actions: Readonly<Record<string, (page: Page) => Promise<unknown>>> = { memory: relations, graph, live, work };
  await tab.open('#/overview');
  for (const hash of await tab.views()) {
    const view = hash.split('/')[1] ?? '';
    const name = `console-${view}-${scheme}.png`;
    if (shown !== null && !shown.includes(name)) continue;
    await tab.open(addresses[view] ?? `#/${view}`);
    await actions[view]?.(tab.page);
    await tab.hasRead();
    await tab.page.waitForTimeout(1_000); // animations end
    await tab.page.screenshot({ path: join(target, name) });
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
  await page.evaluate('scrollTo(0, 0)');
  await page.mouse.move(0, 0); // the live view holds still under the pointer
}

/** Something must happen while the view is open. */
async function live(page: Page): Promise<void> {
  await page.getByText('Connected').waitFor();
  await store({ content: `Ben shows the new checkout to the team at ${new Date().toISOString()}.`, tags: ['team'] });
  await recall(QUERY);
  await page.getByText('memory.enriched').filter({ visible: true }).first().waitFor();
  await page.getByText('memory.recall').filter({ visible: true }).first().waitFor();
}

/** The line of the lag grows with each reading. */
async function work(page: Page): Promise<void> {
  await page.getByText('Choose all').waitFor();
  await page.waitForTimeout(7_000);
}
