/** The page of the API in a browser, at the embedded service and behind both gateways. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { FRONTS } from '../../support/adapters/gateways.js';
import { skipWithReason } from '../../support/checks/not-run.js';
import { CHROMIUM, type ConsolePage, NO_CHROMIUM, openBrowser, openConsole } from '../../support/processes/browser.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'secret of the reader';

for (const front of FRONTS) {
  describe(`the page of the API ${front.name}`, function () {
    this.timeout(60_000);
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
      tab.page.setDefaultTimeout(30_000); // a busy machine needs seconds to open one operation
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
    async function execute(tag: string, id: string): Promise<string | null> {
      await toggle(tag, id);
      await operation(tag, id).getByRole('button', { name: 'Execute' }).click();
      return operation(tag, id).locator('.live-responses-table tbody .response-col_status').textContent();
    }

    it('shows every operation of the document', async () => {
      type Described = { readonly tags: readonly string[]; readonly operationId: string };
      const { paths } = (await service.request('GET', '/openapi.json')).body;
      const all = Object.values<Record<string, Described>>(paths).flatMap(Object.values) as Described[];
      const shown = await tab.page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
      expect(shown).to.have.members(all.map(({ tags, operationId }) => `operations-${tags.join('')}-${operationId}`));
    });

    it('shows the example of an answer', async () => {
      await toggle('Graph', 'getEntity');
      const shown = operation('Graph', 'getEntity').locator('.responses-table .example').first();
      expect(await shown.textContent()).to.include('"name": "Anna Berg"');
      await toggle('Graph', 'getEntity');
    });

    it('sends a write and a read with the token of the reader', async () => {
      await tab.page.locator('.auth-wrapper .authorize').first().click();
      await tab.page.locator('#auth-bearer-value').fill(TOKEN);
      await tab.page.getByRole('button', { name: 'Apply credentials' }).first().click();
      await tab.page.getByRole('button', { name: 'Close' }).last().click();
      expect(await execute('Memories', 'storeMemory')).to.equal('201');
      expect(await execute('Recall', 'recall')).to.equal('200');
    });

    it('forgets the token with the tab', async () => {
      const stored = await tab.page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])');
      expect(stored).to.not.include(TOKEN);
      await tab.page.reload();
      expect(await execute('Memories', 'storeMemory')).to.equal('401');
    });
  });
}
