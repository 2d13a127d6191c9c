/** The recall lab as a debugger and the versions of a memory, in a browser. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { skipWithReason } from '../../support/checks/not-run.js';
import { setUpConsole } from '../../support/processes/console.js';
import { findProgram } from '../../support/processes/programs.js';

const run = promisify(execFile);
const TOKEN = 'secret';
const HOSTILE_QUERY = 'Anna\'s "tea" $HOME `id` \\n 日本 😀 & <b>green</b>';

describe('the console as a debugger', () => {
  const ids: Record<'tea' | 'ship' | 'oldest' | 'older' | 'newest', string> = {
    tea: '',
    ship: '',
    oldest: '',
    older: '',
    newest: '',
  };

  const { tab, service, request, store } = setUpConsole({
    tokens: { token: TOKEN },
    fill: async () => {
      ids.tea = await store({ content: 'Anna likes green tea; <b>two</b> cups.', tags: ['anna', 'drinks'] });
      ids.ship = await store({ content: 'The ship to Oslo leaves at nine.', tags: ['travel'] });
      ids.oldest = await store({ content: 'The office is in Bergen.', timestamp: '2026-03-03T12:00:00Z' });
      ids.older = await store({ content: 'The office is in Stavanger.', timestamp: '2026-02-02T12:00:00Z' });
      ids.newest = await store({ content: 'The office is in Tromsø.', timestamp: '2026-01-01T12:00:00Z' });
      await replace(ids.oldest, ids.older, 'INVALIDATED_BY');
      await replace(ids.older, ids.newest, 'EVOLVED_INTO');
      await service.settled();
    },
  });

  async function replace(older: string, newer: string, type: string): Promise<void> {
    const body = { memory1_id: older, memory2_id: newer, type, strength: 1 };
    expect((await request('POST', '/associate', body)).status).to.equal(201);
  }
  const hashOf = (query: string, others = ''): string => `#/recall?query=${encodeURIComponent(query)}${others}`;
  const region = (name: string): Locator => tab.page.getByRole('region', { name, exact: true });
  const resultOf = (content: string): Locator => tab.page.locator('.result').filter({ hasText: content });

  it('marks the words that match, and says how probable the answer is', async () => {
    const { page, open } = tab;
    await open(hashOf('Who liked teas?'));
    const tea = resultOf('Anna likes');
    await tea.getByText(/^(?:probably answers|may answer|unlikely) \((?:\d+|under 1) %\), $/u).waitFor();
    expect(await tea.locator('mark').allTextContents()).to.deep.equal(['likes', 'tea']);
    expect(await tea.locator('.content').textContent()).to.equal('Anna likes green tea; <b>two</b> cups.');
    await page
      .getByRole('list', { name: 'Time of each stage' })
      .getByText(/^retrieve \d+\.\d ms/u)
      .waitFor();
    await page.getByRole('img', { name: /^\d+\.\d ms by stages$/u }).waitFor();
  });

  it('draws all bars on one scale, with penalties to the left of zero', async () => {
    const { page, open } = tab;
    await page.route('**/recall?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const points = [{ vector: 0.5, adjusted: -0.25 }, { vector: 0.75 }];
      body.results = body.results.slice(0, 2);
      for (const [index, each] of body.results.entries()) each.explain.points = points[index];
      await route.fulfill({ response, json: body });
    });
    await open(hashOf('tea'));
    await page.getByText('Every bar has the same scale, from -0.25 to 0.75.').waitFor();
    const drawn = await page
      .locator('.result .bar')
      .evaluateAll((bars) =>
        bars.map((bar) =>
          [...bar.querySelectorAll('rect:not(.track), line')].map((part) =>
            ['x', 'x1', 'width'].flatMap((name) => part.getAttribute(name) ?? []).map(Number),
          ),
        ),
      );
    expect(drawn).to.deep.equal([
      [[25, 50], [0, 25], [25]],
      [[25, 75], [25]],
    ]);
  });

  it('quotes suppressed memories by their content', async () => {
    await tab.open(hashOf('Where is the office'));
    const items = region('Suppressed').getByRole('listitem');
    await items
      .filter({ hasText: '“The office is in Bergen.” is replaced by “The office is in Tromsø.” INVALIDATED_BY' })
      .waitFor();
    await items
      .filter({ hasText: '“The office is in Stavanger.” is replaced by “The office is in Tromsø.”' })
      .waitFor();
  });

  it('finds the memory that is missing by words', async () => {
    const { open } = tab;
    await open(hashOf('Anna tea', '&tags=drinks'));
    const panel = region('Why not this one?');
    await panel.getByLabel('Id of a memory, or words in it').fill('the ship to Oslo');
    await panel.getByRole('button', { name: 'Explain' }).click();
    await panel.getByText(/^\d+ memor(?:y|ies) found\. Which one do you mean\?$/u).waitFor();
    await panel.getByRole('button', { name: 'The ship to Oslo' }).click();
    await panel.getByText('A filter leaves it out: it does not have the tags.').waitFor();
    await panel.getByRole('link', { name: '“The ship to Oslo leaves at nine.”' }).waitFor();
    await panel.getByRole('button', { name: 'Anna likes' }).click();
    await panel.getByText('It is result 1.').waitFor();
  });

  it('compares two sets of parameters, and keeps both in the address', async () => {
    const { page, open } = tab;
    await open(hashOf('Anna tea'));
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByLabel('Tags (B)', { exact: true }).fill('travel');
    await page.getByLabel('Other parameters (B)').fill('min_score=0&context=ships');
    await page.getByRole('button', { name: 'Recall', exact: true }).click();
    const moved = region('From A to B').getByRole('row');
    const lines = ['Anna likes green tea; <b>two</b> cups.', 'The ship to Oslo leaves at nine.'];
    await moved
      .filter({ hasText: lines[0] ?? '' })
      .getByText('only in A')
      .waitFor();
    const sent = new URLSearchParams(new URL(page.url()).hash.split('?')[1]);
    expect(Object.fromEntries(sent)).to.deep.equal({
      query: 'Anna tea',
      'b.query': 'Anna tea',
      'b.tags': 'travel',
      'b.min_score': '0',
      'b.context': 'ships',
    });
    await page.reload();
    await moved.filter({ hasText: lines[1] ?? '' }).waitFor();
    await page.getByRole('heading', { name: /^A: \d+ results? in/u }).waitFor();
    await page.getByRole('heading', { name: /^B: 1 result in/u }).waitFor();
    await page.getByRole('button', { name: 'Close B' }).click();
    await page.getByRole('heading', { name: /^\d+ results? in/u }).waitFor();
    expect(page.url()).not.to.contain('b.');
  });

  it('gives a line for bash that sends the request of the page', async function () {
    if (findProgram('bash') === null || findProgram('curl') === null)
      return skipWithReason(this, 'the copied line in a shell: install bash and curl');
    const { page, open } = tab;
    const query = `${HOSTILE_QUERY}\nsecond 'line'`;
    const [answer] = await Promise.all([
      page.waitForResponse(/\/recall\?/u),
      open(hashOf(query, '&tags=anna,drinks&limit=3')),
    ]);
    await page.getByRole('button', { name: 'curl' }).click();
    const line = (await region('This request elsewhere').locator('pre').textContent()) ?? '';
    expect(line).not.to.contain(TOKEN);
    const { stdout } = await run('bash', ['-c', line], { env: { ...process.env, SERVICE_API_TOKEN: TOKEN } });
    const [copied, shown] = [JSON.parse(stdout), await answer.json()];
    expect(copied.query).to.equal(query);
    expect(copied).to.deep.include({ query: shown.query, tags: ['anna', 'drinks'], state_filter: shown.state_filter });
    const found = ({ results }: { results: { id: string; explain: object }[] }) =>
      results.map(({ id, explain }) => ({ id, explains: Object.keys(explain) }));
    expect(found(copied)).to.deep.equal(found(shown));
    await page.getByRole('button', { name: 'Python' }).click();
    await page.getByText('limit=3').waitFor();
    await page.getByRole('button', { name: 'MCP' }).click();
    await page.getByText('"recall_memory"').waitFor();
  });

  it('shows each version on a slider, and restores an old one', async () => {
    const id = await store({
      content: 'The meeting is at ten.',
      tags: ['team', 'weekly'],
      timestamp: '2026-01-05T10:00:00Z',
    });
    await request('PATCH', `/memory/${id}`, { content: 'The meeting is at noon.', tags: ['weekly', 'team', 'moved'] });
    await request('PATCH', `/memory/${id}`, { importance: 0.25 });
    const { page, open } = tab;
    await open(`#/memory/${id}`);
    const slider = page.getByRole('slider', { name: 'Version' });
    await slider.waitFor();
    expect(await slider.getAttribute('aria-valuetext')).to.equal('Version 3, memory.updated');
    await slider.press('ArrowLeft');
    const version = page.getByRole('group', { name: 'Version 2' });
    await version.waitFor();
    expect(await version.locator('ins:visible').allTextContents()).to.deep.equal(['noon.', 'moved']);
    expect(await version.locator('del:visible').allTextContents()).to.deep.equal(['ten.']);
    expect(await version.locator('p').first().textContent()).to.match(
      /recorded just now \(20\d\d-.* happened \d+ mo ago \(2026-01-05 10:00:00 UTC\)/u,
    );
    await slider.press('Home');
    await page.getByRole('group', { name: 'Version 1' }).waitFor();
    expect(await page.locator('.history').locator('ins:visible, del:visible').count()).to.equal(0);
    const restore = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Restore version 1 …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    };
    await request('PATCH', `/memory/${id}`, { content: 'The meeting of another client.' });
    await restore();
    await page.getByRole('alert').getByText('412').waitFor();
    await page.getByRole('article').getByText('The meeting of another client.').waitFor();
    await restore();
    await page.getByRole('article').getByText('The meeting is at ten.').waitFor();
    await page.getByRole('group', { name: 'Version 5' }).waitFor();
    const { memory } = (await request('GET', `/memory/${id}`)).body;
    expect(memory).to.deep.include({ content: 'The meeting is at ten.', tags: ['team', 'weekly'], importance: 0.5 });
  });

  it('compares versions beyond the first page with the one before', async () => {
    const id = await store({ content: 'Count 1' });
    for (let number = 2; number <= 52; number += 1)
      await request('PATCH', `/memory/${id}`, { content: `Count ${number}` });
    const { page, open } = tab;
    await open(`#/memory/${id}`);
    await page.getByRole('group', { name: 'Version 50' }).waitFor();
    await page.getByRole('button', { name: 'Later versions' }).click();
    await page.getByRole('group', { name: 'Version 52' }).waitFor();
    await page.getByRole('slider', { name: 'Version' }).press('Home');
    const version = page.getByRole('group', { name: 'Version 51' });
    await version.locator('del', { hasText: /^50$/u }).waitFor();
    await version.locator('ins', { hasText: /^51$/u }).waitFor();
  });

  it('shows the replacements of a fact as strata, the newest on top', async () => {
    for (const id of [ids.oldest, ids.older, ids.newest]) {
      await tab.open(`#/memory/${id}`);
      const strata = region('Replacements').getByRole('listitem');
      await strata.nth(2).waitFor();
      expect(await strata.getByRole('link').allTextContents()).to.deep.equal([
        'The office is in Tromsø.',
        'The office is in Stavanger.',
        'The office is in Bergen.',
      ]);
      expect(await strata.locator('.chip').allTextContents()).to.deep.equal(['↑ EVOLVED_INTO', '↑ INVALIDATED_BY']);
    }
  });

  it('shows the history of a memory after the sections above it', async () => {
    const { page, open } = tab;
    for (const late of ['**/graph/neighbors/**', `**/memory/${ids.newest}`]) {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(late, async (route) => {
        await held;
        await route.continue();
      });
      await open(`#/memory/${ids.older}`);
      await page.getByRole('article').waitFor();
      await page.getByText('Reading the neighbours and the replacements …').waitFor();
      expect(await page.getByRole('heading', { name: 'History' }).count(), late).to.equal(0);
      release();
      await page.getByRole('heading', { name: 'History' }).waitFor();
      await page.unroute(late);
      await open('');
    }
  });

  it('has no axe-core findings and fits 390 px in both schemes', async () => {
    const { page, open } = tab;
    await page.setViewportSize({ width: 390, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [hash, content] of [
        [hashOf('Where is the office'), 'Suppressed'],
        [hashOf('Where is the office', '&b.query=ship&b.limit=2'), 'Suppressed of A'],
        [`#/memory/${ids.older}`, 'The newest is on top'],
      ] as const) {
        await open(hash);
        await page.getByText(content).first().waitFor();
        if (content === 'Suppressed') {
          await page.getByText('Explained', { exact: true }).first().click();
          await page.getByRole('button', { name: 'MCP' }).click();
          await page.getByLabel('Id of a memory').fill('office');
          await page.getByRole('button', { name: 'Explain' }).click();
          await page.locator('.offers button').first().click();
          await page.getByText(/It is result|Its state leaves/u).waitFor();
        }
        expect(await tab.accessibilityProblems(), `${hash}, ${colorScheme}`).to.deep.equal([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'), hash).to.be.at.most(0);
      }
    }
  });
});
