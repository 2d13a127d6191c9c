/** The view Browse in a browser: filters, pages and counts in the address, changes of several memories, export. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { FRONTS } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKEN = 'secret';
const NOTES = 120;
const DAY_MS = 86_400_000;

for (const front of FRONTS) {
  describe(`Browse in the console ${front.name}`, () => {
    const { tab, request } = setUpConsole({
      tokens: { token: TOKEN },
      fronts: [front],
      context: { viewport: { width: 1920, height: 1080 } },
      fill: async () => {
        await store(
          Array.from({ length: NOTES }, (_, number) => ({
            content: `Note ${number}`,
            type: number % 2 === 0 ? 'Insight' : 'Context',
            tags: ['note', ...(number % 10 === 0 ? ['tenth', 'a,b'] : [])],
            timestamp: new Date(Date.UTC(2024, 0, 1, 12) + number * DAY_MS).toISOString(),
            importance: number === 7 ? 1 : 0.3,
          })),
        );
      },
    });

    async function store(memories: readonly object[]): Promise<readonly string[]> {
      const { status, body } = await request('POST', '/memory/batch', { memories });
      expect(status).to.equal(201);
      return body.memory_ids;
    }
    const button = (name: string | RegExp): Locator => tab.page.getByRole('button', { name });
    const link = (name: string): Locator => tab.page.getByRole('link', { name, exact: true });
    const rows = (): Locator => tab.page.locator('ol.rows > li');
    const shows = (text: string): Promise<void> => tab.page.getByText(text, { exact: true }).first().waitFor();
    const contents = (): Promise<string[]> => tab.page.locator('ol.rows .content').allTextContents();
    const tagsOf = async (id = ''): Promise<readonly string[]> =>
      (await request('GET', `/memory/${id}`)).body.memory.tags;

    it('shows at least 38 rows on a screen of 1,080 lines', async () => {
      await tab.open('#/browse?tag=note');
      await shows('1 to 50 of 120 memories');
      const inView = await tab.page.evaluate<number>(
        "[...document.querySelectorAll('ol.rows > li')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length",
      );
      expect(inView).to.be.at.least(38);
    });

    it('keeps page, filters and sort in the address', async () => {
      const { page, open } = tab;
      await open('#/browse?tag=note');
      await button('Next').click();
      await shows('51 to 100 of 120 memories');
      const address = page.url();
      await link('Note 60').click();
      await page.getByRole('heading', { name: 'Memory' }).waitFor();
      await page.goBack();
      await shows('51 to 100 of 120 memories');
      expect(page.url()).to.equal(address);
      await page.reload();
      await shows('51 to 100 of 120 memories');
      await button('Next').click();
      await shows('101 to 120 of 120 memories');
      expect(await button('Next').isDisabled()).to.equal(true);
      await button('Previous').click();
      await shows('51 to 100 of 120 memories');
      await button('First').click();
      await shows('1 to 50 of 120 memories');
      await page.getByLabel('Sort').selectOption('importance');
      await button('Show').click();
      await until('the most important one is first', async () => (await contents())[0] === 'Note 7');
      await page.goBack();
      await until('the newest one is first', async () => (await contents())[0] === `Note ${NOTES - 1}`);
    });

    it('leaves out the tags of the filter in each row', async () => {
      const tags = () => tab.page.locator('ol.rows .row-tags').first().locator('a').allTextContents();
      await tab.open('#/browse?tag=tenth');
      await shows('1 to 12 of 12 memories');
      expect(await tags()).to.have.members(['note', 'a,b']);
      await link('note').first().click();
      await until('the row has only the other tag', async () => (await tags()).join() === 'a,b');
    });

    it('combines tags, a type and a time', async () => {
      const { page, open } = tab;
      await open('#/browse');
      await page.getByLabel('Tag', { exact: true }).fill('note');
      await button('Show').click();
      const facets = page.locator('ul.facets').getByRole('listitem');
      // Without the tag the list has the same heading, and the counts also have `note120`.
      await until('the counts have the other tags alone', async () => {
        const counts = await facets.allTextContents();
        return counts.join() === 'Context60,Insight60,a,b12,tenth12';
      });
      await shows('1 to 50 of 120 memories');
      await page.locator('ul.facets').getByRole('link', { name: 'a,b' }).click();
      await shows('1 to 12 of 12 memories');
      await page.locator('ul.facets').getByRole('link', { name: 'Insight' }).click();
      await page.locator('ul.facets [aria-current=true]', { hasText: 'Insight' }).waitFor();
      await shows('1 to 12 of 12 memories');
      await page.getByLabel('From').fill('2024-01-11');
      await page.getByLabel('To', { exact: true }).fill('2024-01-31');
      await button('Show').click();
      await shows('1 to 3 of 3 memories');
      expect(await contents()).to.deep.equal(['Note 30', 'Note 20', 'Note 10']);
      await link('a,b (remove)').click();
      await shows('1 to 11 of 11 memories');
      await button('Clear').click();
      await shows('1 to 50 of 120 memories');
      expect(page.url()).to.match(/#\/browse$/u);
    });

    it('adds and removes a tag of selected memories', async () => {
      const ids = await store([1, 2, 3].map((number) => ({ content: `Bulk ${number}`, tags: ['bulk', 'Old'] })));
      const { page, open } = tab;
      await open('#/browse?tag=bulk');
      await shows('1 to 3 of 3 memories');
      await page.getByLabel('Select Bulk 1').check();
      await page.getByLabel('Select Bulk 3').check();
      await page.getByLabel('Tag to add or remove').fill('new');
      await button('Add tag').click();
      await shows('2 memories tagged.');
      expect(await Promise.all(ids.map(tagsOf))).to.deep.equal([
        ['bulk', 'Old', 'new'],
        ['bulk', 'Old'],
        ['bulk', 'Old', 'new'],
      ]);
      await page.getByLabel('Select all 3').check();
      await page.getByLabel('Tag to add or remove').fill('old');
      await button('Remove tag').click();
      await shows('3 memories changed.');
      expect(await Promise.all(ids.map(tagsOf))).to.deep.equal([['bulk', 'new'], ['bulk'], ['bulk', 'new']]);
    });

    it('deletes the selection after a question, and names failures', async () => {
      const [first = '', , third = ''] = await store(
        [1, 2, 3].map((number) => ({ content: `Gone ${number}`, tags: ['gone'] })),
      );
      const { page, open } = tab;
      await open('#/browse?tag=gone');
      await shows('1 to 3 of 3 memories');
      await page.getByLabel('Select Gone 1').check();
      await page.getByLabel('Select Gone 2').check();
      await button('Delete …').click();
      await page.getByRole('dialog').getByText('Delete 2 memories?').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect((await request('GET', `/memory/${first}`)).status).to.equal(200);
      await request('DELETE', `/memory/${first}`);
      await button('Delete …').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await shows('1 memory deleted, 1 failed.');
      await page.getByRole('list', { name: 'Failures' }).getByText(first).waitFor();
      await shows('1 to 1 of 1 memory');
      expect((await request('GET', `/memory/${third}`)).status).to.equal(200);
    });

    it('exports the selection, and the whole filter page by page', async () => {
      const { page, open } = tab;
      await open('#/browse?tag=note');
      await shows('1 to 50 of 120 memories');
      expect(await rows().count()).to.equal(50);
      const lines = async (name: string): Promise<readonly { readonly content: string }[]> => {
        const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
        const chunks: Buffer[] = [];
        for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks)
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { content: string });
      };
      expect((await lines('Export all as JSONL')).map(({ content }) => content)).to.deep.equal(
        Array.from({ length: NOTES }, (_, index) => `Note ${NOTES - 1 - index}`),
      );
      await shows('120 memories exported.');
      await page.getByLabel('Select Note 100').check();
      expect((await lines('Export 1 memory')).map(({ content }) => content)).to.deep.equal(['Note 100']);
    });

    it('has no axe-core findings with a selection, in either colour scheme', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        await tab.open('#/browse?tag=note&type=Insight');
        await shows('1 to 50 of 60 memories');
        await tab.page.getByLabel('Select all 50').check();
        await button('Export 50 memories').waitFor();
        expect(await tab.accessibilityProblems(), colorScheme).to.deep.equal([]);
        await tab.page.reload();
      }
    });
  });
}
