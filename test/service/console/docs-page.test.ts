/** The page of the API in a browser. `.ci/readme.mjs` opens it behind the gateway of the distributed composition. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { FRONTS } from '../../support/adapters/gateways.js';
import { skipWithReason } from '../../support/checks/not-run.js';
import { CHROMIUM, type ConsolePage, NO_CHROMIUM, openBrowser, openConsole } from '../../support/processes/browser.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'secret of the reader';

type Content = Readonly<Record<string, { readonly example?: unknown }>>;
type Described = {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

type Shown = Readonly<Record<string, { readonly request: string; readonly reply: string }>>;

/** Run in the page: opens one operation after the other, and gives the examples that it shows, by its id. */
const SHOWN = `(async (ids) => {
  const shown = {};
  const until = async (isDone) => { while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5)); };
  for (const id of ids) {
    const find = (selector) => [...document.getElementById(id).querySelectorAll(selector)];
    const toggle = () => find('.opblock-summary-control')[0].click();
    toggle();
    await until(() => find('.responses-table .example').length > 0);
    shown[id] = {
      request: find('textarea.body-param__text').map(({ value }) => value).join(''),
      reply: find('.responses-table .example').map(({ textContent }) => textContent).join(' '),
    };
    toggle();
    await until(() => find('.responses-table').length === 0);
  }
  return shown;
})`;

for (const front of FRONTS) {
  describe(`the page of the API ${front.name}`, function () {
    let service: Service;
    let gateway: { readonly url: string; readonly close: () => Promise<void> };
    let browser: Browser;
    let tab: ConsolePage;
    const hosts = new Set<string>();

    before(async function () {
      if (CHROMIUM === null) return skipWithReason(this, NO_CHROMIUM);
      service = await startService({ variables: { SERVICE_API_TOKEN: TOKEN } });
      gateway = await front.open(service.url);
      browser = await openBrowser();
      tab = await openConsole(browser, { url: gateway.url });
      tab.page.setDefaultTimeout(60_000); // a busy machine needs seconds to open one operation
      tab.page.on('request', (request) => {
        const { protocol, host } = new URL(request.url());
        if (protocol !== 'data:') hosts.add(host);
      });
      await tab.page.goto(`${gateway.url}/docs`);
      await tab.page.getByRole('heading', { name: 'Palimpsest' }).waitFor();
    });
    after(async () => {
      await browser?.close();
      await gateway?.close();
      await service?.close();
    });
    afterEach(() => {
      expect(tab.errors).to.deep.equal([]);
      expect([...hosts]).to.deep.equal([new URL(gateway.url).host]);
    });

    const operation = (tag: string, id: string) => tab.page.locator(`[id="operations-${tag}-${id}"]`);
    const toggle = (tag: string, id: string) => operation(tag, id).locator('.opblock-summary-control').click();

    /** The status of the answer. */
    async function execute(tag: string, id: string, parameters: Record<string, string> = {}): Promise<string | null> {
      await toggle(tag, id);
      for (const [name, value] of Object.entries(parameters))
        await operation(tag, id).locator(`tr[data-param-name="${name}"] input`).fill(value);
      await operation(tag, id).getByRole('button', { name: 'Execute' }).click();
      return operation(tag, id).locator('.live-responses-table tbody .response-col_status').textContent();
    }

    const described = async (): Promise<Readonly<Record<string, Described>>> => {
      const { paths } = (await service.request('GET', '/openapi.json')).body;
      const all = Object.values<Record<string, Described>>(paths).flatMap(Object.values) as Described[];
      return Object.fromEntries(all.map((one) => [`operations-${one.tags.join('')}-${one.operationId}`, one]));
    };

    it('shows every operation of the document', async () => {
      const shown = await tab.page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
      expect(shown).to.have.members(Object.keys(await described()));
    });

    it('shows an example of request and reply, for one operation of each kind', async () => {
      const examined = oneOfEachKind(await described());
      const shown = await tab.page.evaluate<Shown>(`${SHOWN}(${JSON.stringify(examined.map(([id]) => id))})`);
      for (const [id, { requestBody, responses }] of examined) {
        expect(packed(shown[id]?.reply), id).to.include(packed(exampleOf(replyOf(responses))));
        if (requestBody !== undefined)
          expect(packed(shown[id]?.request), id).to.equal(packed(exampleOf(requestBody.content)));
      }
    });

    it('sends requests of each method with the token of the reader', async () => {
      await tab.page.locator('.auth-wrapper .authorize').first().click();
      await tab.page.locator('#auth-bearer-value').fill(TOKEN);
      await tab.page.getByRole('button', { name: 'Apply credentials' }).first().click();
      await tab.page.getByRole('button', { name: 'Close' }).last().click();
      expect(await execute('Memories', 'storeMemory')).to.equal('201');
      expect(await execute('Recall', 'recall')).to.equal('200');
      const headers = { Authorization: `Bearer ${TOKEN}` };
      const { body } = await service.request('POST', '/memory', { body: { content: 'A note of the page' }, headers });
      const parameters = { id: body.memory_id as string };
      expect(await execute('Memories', 'updateMemory', parameters)).to.equal('200');
      expect(await execute('Memories', 'deleteMemory', parameters)).to.equal('200');
      expect((await service.request('GET', `/memory/${parameters.id}`, { headers })).status).to.equal(404);
    });

    it('forgets the token with the tab', async () => {
      const stored = await tab.page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])');
      expect(stored).to.not.include(TOKEN);
      await tab.page.reload();
      expect(await execute('Memories', 'storeMemory')).to.equal('401');
    });
  });
}

/**
 * The first operation of each combination of media types of request and reply. The page takes a second of processor
 * time to open an operation, and another test holds the examples of all.
 */
function oneOfEachKind(all: Readonly<Record<string, Described>>): readonly (readonly [string, Described])[] {
  const kinds = new Map<string, readonly [string, Described]>();
  for (const [id, operation] of Object.entries(all)) {
    const { requestBody, responses } = operation;
    const kind = JSON.stringify(
      [requestBody?.content, replyOf(responses)].map((content) => Object.keys(content ?? {})),
    );
    if (!kinds.has(kind)) kinds.set(kind, [id, operation]);
  }
  return [...kinds.values()];
}

/** The content of the answer that reports success. */
function replyOf(responses: Described['responses']): Content | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
}

/** The first one of the content. */
function exampleOf(content: Content = {}): unknown {
  const [first] = Object.values(content);
  expect(first).to.have.property('example');
  return first?.example;
}

/** Without white space: the page formats JSON. */
function packed(value: unknown = ''): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s/gu, '');
}
