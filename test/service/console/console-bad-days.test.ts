/**
 * The console with much and strange content, a wrong clock, a slow network and changes of others, through each front of
 * one filled service. `console-outages` has a service that stops and starts, the cut stream and the revoked token.
 */
import { expect } from 'chai';
import { ALL_FRONTS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { associated, association, day, memory, memoryId, stored } from '../../support/fixtures/memories.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const MANY = 10_000;
const SPOKES = 5_000;
const BATCH = 1_000;
const PHONE = { width: 360, height: 740 };
const LIMIT_BYTES = 1_000_000;
/** The budget of all files, with their headers. Without compression the smallest view has 165,000. */
const FILES_LIMIT_BYTES = 150_000;
const HOUR_MS = 3_600_000;
const UNBROKEN = 'x'.repeat(2_000);
const ARABIC = 'طلب الزبون رقم 4711 وصل متأخراً ثلاثة أيام، ونريد أن نرسل له قسيمة بقيمة 10 €.';
const HUB = memoryId(1);
/** Slow 3G: 50 KB/s and 400 ms for each request. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

describe(`the strained console${GATEWAYS_NOTE}`, function () {
  this.timeout(300_000);
  const ids = { unbroken: '', arabic: '' };
  const { tab, through, url, service, request, store } = setUpConsole({
    tokens: TOKENS,
    fronts: ALL_FRONTS,
    fill: async () => {
      // First, because the graph must not be ahead of its journal.
      ids.unbroken = await store({ content: UNBROKEN, tags: ['strange', 'y'.repeat(100)], importance: 1 });
      await applyMany();
      ids.arabic = await store({ content: ARABIC, tags: ['strange'], importance: 1 });
      const body = { memory1_id: ids.unbroken, memory2_id: ids.arabic, type: 'RELATES_TO', strength: 0.9 };
      await request('POST', '/associate', body);
      await service.settled();
    },
  });

  /** To the graph alone, without the journal and the index, because the commit of so many memories takes minutes. */
  async function applyMany(): Promise<void> {
    for (let first = 1; first <= MANY; first += BATCH) {
      const numbers = Array.from({ length: BATCH }, (_, index) => first + index);
      await service.engines.graphWriter.apply(
        numbers.map((number) =>
          stored(
            memory(number, {
              content: `Note ${number} about ${['tea', 'ships', 'Oslo', 'orders'][number % 4]}`,
              tags: ['note', `tag:${number % 40}`],
              importance: number === 1 ? 1 : (number % 100) / 200,
              timestamp: day(1 + (number % 360)),
            }),
          ),
        ),
      );
      const spokes = numbers.filter((number) => number > 1 && number <= SPOKES + 1);
      await service.engines.graphWriter.apply(
        spokes.map((number) => associated(association(number, 1, { type: 'PART_OF', strength: (number % 97) / 97 }))),
      );
    }
  }

  /** Each view, those of one memory for each of `memories`. */
  async function addresses(memories: readonly string[]): Promise<readonly string[]> {
    await tab.open('');
    const views = await tab.views();
    const filled = ['#/recall?query=note+about+ships', '#/browse?tag=strange', '#/recall?query=4711'];
    return [...views, ...filled, ...memories.flatMap((id) => [`#/memory/${id}`, `#/graph/${id}`])];
  }

  for (const front of ALL_FRONTS)
    describe(front.name, () => {
      through(front);

      it('reads at most 1 MB of data and 150 KB of files for each view', async () => {
        const client = await tab.page.context().newCDPSession(tab.page);
        await client.send('Network.enable');
        await client.send('Network.setCacheDisabled', { cacheDisabled: true });
        const files = new Set<string>();
        const bytes = { files: 0, data: 0 };
        client.on('Network.responseReceived', ({ requestId, response }) => {
          if (/\/console\/[\w.-]*$/u.test(new URL(response.url).pathname)) files.add(requestId);
        });
        client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
          bytes[files.has(requestId) ? 'files' : 'data'] += encodedDataLength;
        });
        for (const hash of await addresses([HUB])) {
          await tab.page.goto(`${url()}/livez`); // so that the page is loaded as a whole
          Object.assign(bytes, { files: 0, data: 0 });
          await tab.open(hash);
          await tab.hasRead();
          expect(bytes.files, hash).to.be.within(1_000, FILES_LIMIT_BYTES);
          expect(bytes.files + bytes.data, hash).to.be.below(LIMIT_BYTES);
        }
      });

      it('lists all of them page by page', async () => {
        await tab.open('#/browse');
        await tab.page.getByText(/^1 to 50 of 10,\d{3} memories$/u).waitFor();
        expect(await tab.page.getByRole('checkbox', { name: /^Select / }).count()).to.be.within(50, 51);
        await tab.page.getByRole('button', { name: 'Next' }).click();
        await tab.page.getByText('51 to 100').waitFor();
      });

      it('names the limit of associations of a hub', async () => {
        await tab.open(`#/graph/${HUB}`);
        await tab.page.getByText(/only the strongest 50 are drawn/u).waitFor();
        await tab.open(`#/memory/${HUB}`);
        await tab.page.getByRole('heading', { name: 'Relations' }).waitFor();
        await tab.hasRead();
        expect(await tab.page.locator('main li').count()).to.be.below(SPOKES);
      });

      it('never scrolls sideways on a phone', async () => {
        await tab.page.setViewportSize(PHONE);
        for (const hash of await addresses([HUB, ids.unbroken, ids.arabic])) {
          await tab.open(hash);
          await tab.hasRead();
          expect(await tab.overflow(), hash).to.be.at.most(0);
        }
      });

      it('shows a right-to-left text as a whole', async () => {
        for (const hash of [`#/memory/${ids.arabic}`, '#/recall?query=4711', '#/browse?tag=strange']) {
          await tab.open(hash);
          await tab.page.getByText(ARABIC, { exact: true }).filter({ visible: true }).first().waitFor();
        }
      });

      for (const [how, offset] of [
        ['slow', -HOUR_MS],
        ['fast', HOUR_MS],
      ] as const) {
        it(`shows no negative time by a clock that is an hour ${how}`, async () => {
          await store({ content: `Stored while the clock is ${how}.`, tags: ['clock'] });
          await tab.page.clock.install({ time: Date.now() + offset });
          for (const hash of ['#/overview', '#/browse?tag=clock', '#/work', '#/keys', '#/health', '#/live']) {
            await tab.open(hash);
            await tab.page.clock.runFor(2_000);
            await tab.hasRead();
            const text = await tab.page.getByRole('main').innerText();
            expect(text, hash).to.not.match(
              /NaN|Invalid|undefined|(?<![\d\x2dT])-\d+ ?(?:[shdy]|min|mo)\b|\bin 1 hour/u,
            );
          }
          await tab.page.getByText('Connected').waitFor();
          await store({ content: `Seen while the clock is ${how}.`, tags: ['clock'] });
          await tab.page.getByText('memory.stored').filter({ visible: true }).first().waitFor();
        });
      }

      it('shows the last chosen view over a slow network', async () => {
        const { page, open } = tab;
        await open('#/health');
        const client = await page.context().newCDPSession(page);
        await client.send('Network.enable');
        await client.send('Network.emulateNetworkConditions', SLOW);
        const go = (name: string): Promise<void> =>
          page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
        for (const name of ['Overview', 'Browse', 'Work', 'Recall', 'Keys']) await go(name);
        await page.getByText('There are no keys yet.').waitFor();
        expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Keys');
        await go('Browse');
        await page.getByText(/^1 to 50 of /u).waitFor();
        expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Browse');
      });

      it('sends a change once over a slow network after a double click', async () => {
        const id = await store({ content: 'The meeting is at ten.' });
        const { page, open } = tab;
        await open(`#/memory/${id}`);
        await page.getByRole('button', { name: 'Edit' }).click();
        await page.getByRole('textbox', { name: 'Content' }).fill('The meeting is at eleven.');
        const client = await page.context().newCDPSession(page);
        await client.send('Network.enable');
        await client.send('Network.emulateNetworkConditions', SLOW);
        let changes = 0;
        page.on('request', (sent) => (changes += sent.method() === 'PATCH' ? 1 : 0));
        await page.getByRole('button', { name: 'Save …' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).dblclick();
        await page.getByRole('article').getByText('The meeting is at eleven.').waitFor();
        expect(changes).to.equal(1);
      });

      it('keeps the words of an edit after another tab deleted the memory', async () => {
        const id = await store({ content: 'The office is in Bergen.' });
        const { page, open } = tab;
        await open(`#/memory/${id}`);
        await page.getByRole('button', { name: 'Edit' }).click();
        await page.getByRole('textbox', { name: 'Content' }).fill('The office is in Stavanger.');
        const other = await page.context().newPage();
        await other.goto(page.url());
        await other.getByRole('button', { name: 'Delete', exact: true }).click();
        await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
        await other.getByRole('heading', { name: 'Browse' }).waitFor();
        await page.bringToFront();
        await page.getByRole('button', { name: 'Save …' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
        await page
          .getByRole('alert')
          .getByText(/^404: /u)
          .waitFor();
        expect(await page.getByRole('textbox', { name: 'Content' }).inputValue()).to.equal(
          'The office is in Stavanger.',
        );
      });
    });
});
