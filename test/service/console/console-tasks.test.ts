/** Tasks of the console's users, each in at most four actions: a click, a key, a filled field, a given file. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { PoisonError } from '../../../shared/kernel/errors.js';
import type { Point } from '../../../shared/ports/vectors.js';
import { demo } from '../../screenshots/demo.js';
import { fill } from '../../screenshots/fill.js';
import { until } from '../../support/checks/until.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const MOST_ACTIONS = 4;
/** The index refuses a memory of this importance. */
const POISON = 0.123;
const RIGHT = 'The time limit of a payment in checkout is 20 seconds';
/** A part of the notes, because the encoder needs seconds for all. */
const PART = /^(?:checkout|payments|search|week 0|Anna|Ben) /u;

describe('a task in the console', () => {
  let ids: ReadonlyMap<string, string> = new Map();
  const suite = setUpConsole({
    tokens: TOKENS,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    service: {
      alter: (engines) => ({
        ...engines,
        vectors: Object.assign(Object.create(engines.vectors) as typeof engines.vectors, {
          upsert: async (points: readonly Point[]) => {
            if (points.some(({ payload }) => payload.importance === POISON))
              throw new PoisonError('no index can hold it');
            return engines.vectors.upsert(points);
          },
        }),
      }),
    },
    fill: async () => {
      ids = await fill(suite.service, notes(), TOKENS);
      await suite.store({ content: 'A memory that no index holds.', importance: POISON });
      const [first, whole] = ['entity:people:anna', 'entity:people:anna-berg'];
      for (const tags of [[first], [whole], [first, whole], [first, whole]])
        await suite.store({ content: `A note of ${tags.join(' and ')}.`, tags });
      await suite.service.settled();
    },
  });
  const { tab, url } = suite;
  const notes = (): ReturnType<typeof demo> => {
    const { memories, associations, edits } = demo();
    return {
      memories: new Map([...memories].filter(([name]) => PART.test(name))),
      associations: associations.filter(({ from, to }) => PART.test(from) && PART.test(to)),
      edits: edits.filter(({ of }) => PART.test(of)),
    };
  };

  let actions = 0;
  const counted = async (action: Promise<unknown>): Promise<void> => {
    actions += 1;
    await action;
  };
  /** The only way in which a task touches the page. */
  const hand = {
    click: (what: Locator) => counted(what.click()),
    fill: (what: Locator, text: string) => counted(what.fill(text)),
    press: (what: Locator, key: string) => counted(what.press(key)),
    give: (what: Locator, lines: readonly string[]) => {
      const file = { name: 'memories.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines.join('\n')) };
      return counted(what.setInputFiles(file));
    },
  };
  beforeEach(() => {
    actions = 0;
  });
  afterEach(() => expect(actions, 'actions').to.be.at.most(MOST_ACTIONS));

  const view = (name: string): Locator =>
    tab.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
  const button = (name: string | RegExp): Locator => tab.page.getByRole('button', { name });
  const answer = (name: string): Locator => tab.page.getByRole('dialog').getByRole('button', { name, exact: true });
  const shows = (text: string | RegExp): Promise<void> =>
    tab.page.getByText(text).filter({ visible: true }).first().waitFor();
  const openMemory = (name: string): Promise<void> => tab.open(`#/memory/${ids.get(name)}`);

  it('finds a memory by a half-remembered phrase', async () => {
    await tab.open('');
    await hand.click(view('Recall'));
    await hand.fill(tab.page.getByLabel('Query'), 'how long may paying take');
    await hand.press(tab.page.getByLabel('Query'), 'Enter');
    await shows(RIGHT);
  });

  it('shows why a memory lost to another one', async () => {
    await tab.open('#/recall?query=time+limit+of+a+payment&limit=3');
    await shows(RIGHT);
    await hand.fill(tab.page.getByLabel('Id of a memory, or words in it'), 'limit of a payment is 8 seconds');
    await hand.click(button('Explain'));
    await hand.click(button(/is 8 seconds/u).first());
    await shows(/replaced by/u);
  });

  it('corrects a memory', async () => {
    await openMemory('payments setting 3');
    await hand.click(button('Edit'));
    await hand.fill(tab.page.getByRole('textbox', { name: 'Content' }), 'Payments retries four times.');
    await hand.click(button('Save …'));
    await hand.click(answer('Save'));
    await tab.page.getByRole('article').getByText('Payments retries four times.').waitFor();
  });

  it('shows who changed a memory', async () => {
    await tab.open('#/browse?tag=payments');
    const { content = '' } = notes().memories.get('payments measured') ?? {};
    await hand.click(tab.page.getByRole('link', { name: content, exact: true }));
    await tab.page
      .getByRole('group', { name: 'Version 2' })
      .getByText(/recorded .* by anna/u)
      .waitFor();
  });

  it('undoes a change', async () => {
    const id = ids.get('search measured') ?? '';
    const importance = async (): Promise<number> =>
      (await suite.request('GET', `/memory/${id}`)).body.memory.importance;
    const before = await importance();
    await tab.open(`#/memory/${id}`);
    const slider = tab.page.getByRole('slider', { name: 'Version' });
    await slider.waitFor();
    await hand.press(slider, 'ArrowLeft');
    await hand.click(button(/^Restore/u));
    await hand.click(answer('Restore'));
    await tab.page.getByRole('group', { name: 'Version 3' }).waitFor();
    expect(await importance()).to.not.equal(before);
  });

  it('merges two people who are the same', async () => {
    await tab.open('#/entities');
    await hand.click(button('Find pairs'));
    await hand.click(tab.page.getByText(/^anna and anna-berg/u));
    await hand.click(button('Merge anna into anna-berg …'));
    await hand.click(answer('Merge'));
    await shows(/^anna is now an alias of anna-berg: /u);
  });

  it('undoes a merge of two people', async () => {
    expect((await suite.request('POST', '/entity/anna/merge', { merge_into: 'anna-berg' })).status).to.equal(200);
    await tab.open('#/entities');
    await hand.click(tab.page.getByRole('table').getByRole('link', { name: 'Anna Berg', exact: true }));
    await hand.click(button('Undo merge of anna'));
    await hand.click(answer('Undo merge'));
    await shows(/^anna is an entity again: /u);
  });

  it('watches an import', async () => {
    await tab.open('');
    await hand.click(view('Browse'));
    const lines = Array.from({ length: 120 }, (_, number) => JSON.stringify({ content: `Line ${number}` }));
    await hand.give(tab.page.getByLabel('JSONL file'), lines);
    await hand.click(button('Import'));
    await tab.page.getByRole('progressbar').waitFor();
    await shows(/120 of 120 lines/u);
  });

  it('finds what is stuck', async () => {
    await tab.open('');
    await hand.click(view('Work'));
    await shows(/no index can hold it/u);
  });

  it('connects an agent', async () => {
    await tab.open('');
    await hand.click(button('Copy Claude Code (MCP)'));
    await shows('Copied.');
    expect(await tab.page.evaluate('navigator.clipboard.readText()')).to.include(`AUTOMEM_API_URL=${url()}`);
  });

  it('hands a colleague a link', async () => {
    await tab.open('');
    await hand.click(view('Browse'));
    await hand.click(tab.page.getByRole('link', { name: 'Decision' }).first());
    const heading = /^1 to \d+ of \d+ memories$/u;
    await tab.page.waitForURL(/type=Decision/u);
    const chosen = tab.page.getByLabel('Type', { exact: true });
    await until('the view follows the address', async () => (await chosen.inputValue()) === 'Decision');
    const link = tab.page.url();
    await tab.page.getByText(heading).waitFor();
    const seen = await tab.page.getByText(heading).textContent();
    expect(link).to.not.include(TOKENS.token);
    await suite.openAs(TOKENS);
    await tab.page.goto(link);
    await tab.page.getByText(heading).waitFor();
    expect(await tab.page.getByText(heading).textContent()).to.equal(seen);
  });
});
