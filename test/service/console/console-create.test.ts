/** What a user creates in the console: memories, associations, replacements and imports; and the choice of a time. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { until } from '../../support/checks/until.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKEN = 'secret';
const DAY_MS = 86_400_000;
const DAYS = 40;

describe('Creating in the console', () => {
  const { tab, request, service } = setUpConsole({
    tokens: { token: TOKEN },
    context: { viewport: { width: 1400, height: 1000 } },
    fill: async () => {
      await store(
        Array.from({ length: DAYS }, (_, day) => ({
          content: `Day ${day} at the ${day % 2 === 0 ? 'harbour' : 'lighthouse'}`,
          tags: ['diary'],
          timestamp: new Date(Date.UTC(2024, 0, 1, 12) + day * DAY_MS).toISOString(),
        })),
      );
    },
  });

  async function store(memories: readonly object[]): Promise<readonly string[]> {
    const { status, body } = await request('POST', '/memory/batch', { memories });
    expect(status).to.equal(201);
    return body.memory_ids;
  }
  const memory = async (id = '') => (await request('GET', `/memory/${id}`)).body.memory;
  const button = (name: string | RegExp): Locator => tab.page.getByRole('button', { name });
  const shows = (text: string): Promise<void> => tab.page.getByText(text, { exact: true }).first().waitFor();

  it('stores a memory from the form, and links to it', async () => {
    const { page, open } = tab;
    await open('#/browse?tag=diary');
    await page.getByRole('link', { name: 'New memory' }).click();
    await page.getByRole('heading', { name: 'New memory' }).waitFor();
    expect(await page.getByLabel('Tags').inputValue()).to.equal('diary');
    await page.getByLabel('Content').fill('The ferry was late');
    await page.getByLabel('Type').selectOption('Insight');
    await page.getByLabel('Tags').fill('diary, ferry');
    await page.getByLabel('Importance').fill('0.75');
    await page.getByLabel('Confidence').fill('0.6');
    await page.getByLabel('Happened (UTC)').fill('2024-03-01T08:30');
    await button('Store').click();
    await page.getByRole('link', { name: 'open the memory' }).click();
    await page.getByRole('heading', { name: 'Memory', exact: true }).waitFor();
    const id = page.url().split('/').at(-1);
    expect(await memory(id)).to.deep.include({
      content: 'The ferry was late',
      type: 'Insight',
      tags: ['diary', 'ferry'],
      importance: 0.75,
      confidence: 0.6,
      timestamp: '2024-03-01T08:30:00+00:00',
    });
    await request('DELETE', `/memory/${id}`);
  });

  it('keeps what was written when the service refuses it', async () => {
    const { page, open } = tab;
    await open('#/new?content=Kept');
    await page.getByLabel('Importance').fill('0.3');
    await page.getByLabel('Tags').fill('x'.repeat(300));
    await button('Store').click();
    await page.getByRole('alert').getByText('400', { exact: false }).waitFor();
    expect(await page.getByLabel('Content').inputValue()).to.equal('Kept');
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
  });

  it('associates a memory with one found by words or by id', async () => {
    const [one = '', other = '', third = ''] = await store([
      { content: 'The walnut table has a scratch', tags: ['oak'] },
      { content: 'The zeppelin museum opens at nine', tags: ['oak'] },
      { content: 'Quartz is harder than glass', tags: ['oak'] },
    ]);
    await service.settled();
    const { page, open } = tab;
    await open(`#/memory/${one}`);
    await page.getByText('Associate with another memory').click();
    const search = page.getByLabel('Other memory: its id, or words');
    const find = page.locator('form', { has: search }).getByRole('button', { name: 'Find' });
    await search.fill('zeppelin museum');
    await find.click();
    await page.getByRole('radio', { name: 'The zeppelin museum opens at nine' }).check();
    await page.getByLabel('This memory …').selectOption('LEADS_TO');
    await page.getByLabel('Strength').fill('0.9');
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await button('Associate').click();
    await page.getByText('Associated: LEADS_TO').waitFor();
    await search.fill(third);
    await find.click();
    await page.getByRole('radio', { name: 'Quartz is harder than glass' }).waitFor();
    await button('Associate').click();
    await until('both associations are stored', async () => (await memory(one)).relations.length === 2);
    const relations = (await memory(one)).relations as { type: string; strength: number; memory: { id: string } }[];
    expect(relations.map((relation) => relation.memory.id)).to.have.members([other, third]);
    expect(relations.find((relation) => relation.memory.id === other)).to.include({ type: 'LEADS_TO', strength: 0.9 });
    await page.locator('li', { hasText: 'LEADS_TO' }).getByRole('link', { name: 'The zeppelin museum' }).waitFor();
    for (const id of [one, other, third]) await request('DELETE', `/memory/${id}`);
  });

  it('replaces several memories by a new one', async () => {
    const ids = await store(
      ['red', 'green', 'blue'].map((colour) => ({ content: `The door is ${colour}`, tags: ['door', colour] })),
    );
    const { page, open } = tab;
    await open('#/browse?tag=door');
    await shows('1 to 3 of 3 memories');
    await page.getByLabel('Select The door is red').check();
    await page.getByLabel('Select The door is green').check();
    await button('Replace by one').click();
    const form = page.getByRole('form', { name: 'New memory in their place' });
    expect(await form.getByLabel('Tags').inputValue()).to.equal('door');
    await form.getByLabel('Content of the new memory').fill('The door is white');
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await form.getByRole('button', { name: 'Replace 2 memories …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('link', { name: 'Open the new memory' }).waitFor();
    const newer = (await page.getByRole('link', { name: 'Open the new memory' }).getAttribute('href'))
      ?.split('/')
      .at(-1);
    const targets = async (id = ''): Promise<readonly unknown[]> =>
      (await memory(id)).relations.map((each: { type: string; memory: { id: string } }) => [each.type, each.memory.id]);
    expect(await targets(ids[0])).to.deep.equal([['INVALIDATED_BY', newer]]);
    expect(await targets(ids[1])).to.deep.equal([['INVALIDATED_BY', newer]]);
    expect(await targets(ids[2])).to.deep.equal([]);
    expect(await memory(newer)).to.deep.include({ content: 'The door is white', tags: ['door'] });
  });

  it('imports the good lines of a file, and names the others', async () => {
    const { page, open } = tab;
    await open('#/browse?tag=mixed');
    const lines = Array.from({ length: 130 }, (_, number) => ({
      content: `Line ${number}`,
      tags: ['mixed'],
      ...(number === 6 || number === 119 ? { importance: 7 } : {}),
    }));
    const buffer = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n\n'));
    await page
      .getByLabel('JSONL file')
      .setInputFiles({ name: 'mixed.jsonl', mimeType: 'application/x-ndjson', buffer });
    await button('Import').click();
    await page.getByText(/^130 of 130 lines, [\d,]+ a second, 2 refused$/u).waitFor();
    const refused = page.getByRole('list', { name: 'Refused lines' }).getByRole('listitem');
    const texts = await refused.allTextContents();
    expect(texts.map((text) => text.split(':')[0])).to.deep.equal(['Line 13', 'Line 239']);
    expect(texts[0]).to.contain('importance');
    await shows('1 to 50 of 128 memories');
  });

  it('finds words in the list, and keeps them in the address', async () => {
    const { page, open } = tab;
    await open('#/browse?tag=diary');
    await page.getByLabel('Words').fill('harbours day');
    await button('Show').click();
    await shows('1 to 20 of 20 memories');
    expect(page.url()).to.contain('text=harbours');
    await page.reload();
    await shows('1 to 20 of 20 memories');
    await page.getByLabel('Words').fill('!');
    await button('Show').click();
    await page.getByRole('alert').getByText("'text' has no word").waitFor();
  });

  it('chooses a time by dragging over the bars', async () => {
    const { page, open } = tab;
    await open('#/browse?tag=diary');
    await page.getByRole('heading', { name: 'Memories by day' }).waitFor();
    const bars = page.getByRole('img', { name: /^Memories by day, 2024-01-01 to 2024-02-09\./u });
    await bars.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await bars.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const at = (day: number): number => x + ((day + 0.5) / DAYS) * width;
    await page.mouse.move(at(9), y + height / 2);
    await page.mouse.down();
    await page.mouse.move(at(4), y + height / 2, { steps: 4 });
    await page.mouse.up();
    await shows('1 to 6 of 6 memories');
    expect(page.url()).to.contain('since=2024-01-05').and.contain('until=2024-01-10');
    await button('All times').click();
    await shows(`1 to ${DAYS} of ${DAYS} memories`);
  });

  it('chooses a time with the keyboard', async () => {
    const { page, open } = tab;
    await open('#/browse?tag=diary');
    const [first, last] = [page.getByRole('slider', { name: 'First' }), page.getByRole('slider', { name: 'Last' })];
    await first.focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
    expect(await first.getAttribute('aria-valuetext')).to.equal('2024-01-04: 1 memory');
    await last.focus();
    await page.keyboard.press('Home');
    await shows('2024-01-01: 1 memory');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await shows('1 to 2 of 2 memories');
    expect(page.url()).to.contain('since=2024-01-01').and.contain('until=2024-01-02');
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
  });

  it('limits a recall to a time', async () => {
    const { page, open } = tab;
    await open('#/recall?query=harbour&tags=diary&limit=50');
    await page.getByText('Time of the memories').click();
    await page.getByRole('slider', { name: 'First' }).focus();
    for (let press = 0; press < DAYS - 4; press += 1) await page.keyboard.press('ArrowRight');
    await button('Use this time').click();
    await until('the address has the time', () => page.url().includes('start=2024-02-06&end=2024-02-09T23'));
    await page.getByRole('heading', { name: /^\d results/u }).waitFor();
    const contents = await page.locator('.results .content').allTextContents();
    expect(contents).to.include.members(['Day 36 at the harbour', 'Day 38 at the harbour']);
    expect(contents.filter((content) => !/^Day 3[6-9] /u.test(content))).to.deep.equal([]);
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`fits a phone and has no axe-core findings: ${colorScheme}`, async () => {
      const { page, open, accessibilityProblems } = tab;
      await page.setViewportSize({ width: 390, height: 800 });
      await page.emulateMedia({ colorScheme });
      for (const hash of ['#/new', '#/browse?tag=diary', '#/recall?query=harbour']) {
        await open(hash);
        await page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })");
        if (hash !== '#/new') await page.getByRole('heading', { name: /^Memories by/u }).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(390);
        expect(await accessibilityProblems(), hash).to.deep.equal([]);
      }
    });
});
