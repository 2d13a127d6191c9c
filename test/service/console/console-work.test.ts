/** Work, Live and Entities of the console in a browser. */
import { expect } from 'chai';
import { failingEnrichment } from '../../support/faults/failing-enrichment.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };

describe('the console', () => {
  const enrichment = failingEnrichment();
  let poison: string;
  const { tab, ...suite } = setUpConsole({
    tokens: TOKENS,
    service: enrichment.options,
    fill: async () => {
      await suite.store({ content: 'Ann plans the garden.', tags: ['entity:people:ann-lee'] });
      await suite.store({
        content: 'Ann waters the roses.',
        tags: ['entity:people:ann-lee', 'entity:people:anne-lee', 'entity:tools:hose'],
      });
      await suite.store({ content: 'Anne sold the car.', tags: ['entity:people:anne-lee'] });
      poison = await suite.store({ content: 'The poisoned memory.', timestamp: enrichment.timestamp });
      await suite.service.settled();
      await request('GET', '/recall?query=garden');
    },
  });

  async function request(method: string, path: string, body?: object) {
    const reply = await suite.request(method, path, body);
    expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf([200, 201]);
    return reply.body;
  }
  const lines = (text: string) => tab.page.locator('.lines > li').filter({ hasText: text });

  it('Work shows the last hour, and no error of a projector that is caught up', async () => {
    const { page, open } = tab;
    await open('#/work');
    for (const name of [
      /^Recalls of each minute: [1-9]/u,
      /^Stores and changes/u,
      /^Lag of the enricher: 0 events now/u,
    ])
      await page.getByRole('img', { name }).waitFor();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'vector-indexer' }) });
    await row.getByText('caught up, waits for events').waitFor();
    expect(await row.getByText('error').count()).to.equal(0);
    const failed = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'enricher' }) });
    await failed.getByText(/earlier error, .* UTC\): /u).waitFor();
  });

  it('Work redrives one dead letter, and says how that ended', async () => {
    const { page, open } = tab;
    await open('#/work');
    const letter = page.getByRole('listitem').filter({ hasText: 'enricher: memory.stored' });
    await letter.getByRole('link', { name: 'The poisoned memory.' }).first().waitFor();
    await letter.getByText('Unexpected TypeError: the code or an engine failed.').waitFor();
    await letter.getByText('Failed 1 time, the last time at').waitFor();
    await letter.getByText('Event', { exact: true }).click();
    await letter.getByText('"correlationid"').waitFor();
    const outcome = page.getByRole('status', { name: 'Results of redrives' });
    await letter.getByRole('button', { name: /^Redrive number/u }).click();
    await outcome.getByText('failed again: Unexpected TypeError').waitFor();
    enrichment.isFailing = false;
    await letter.getByRole('button', { name: /^Redrive number/u }).click();
    await outcome.getByText('was handled: the letter is gone.').waitFor();
    expect((await request('GET', `/memory/${poison}`)).memory.enriched).to.equal(true);
  });

  it('Live groups what one request caused, with the words of each memory', async () => {
    const { page, open } = tab;
    await open('#/live');
    await page.getByText('Connected').waitFor();
    const [one, two] = [
      await suite.store({ content: 'The kite flies.' }),
      await suite.store({ content: 'The wind blows.' }),
    ];
    await suite.service.settled();
    await request('POST', '/associate', { memory1_id: one, memory2_id: two, type: 'LEADS_TO', strength: 0.9 });
    await request('GET', '/recall?query=kite');
    const stored = lines('The kite flies.').filter({ has: page.locator('> .chip', { hasText: 'memory.stored' }) });
    const caused = stored.getByRole('list', { name: 'Caused by it' });
    for (const type of ['memory.enriched', 'memory.store', 'enrichment.complete'])
      await caused.getByText(type, { exact: true }).waitFor();
    expect(await caused.getByRole('link', { name: 'The wind blows.' }).count()).to.equal(0);
    const associated = lines('association.created');
    await associated.getByRole('link', { name: 'The kite flies.' }).waitFor();
    await associated.getByRole('link', { name: 'The wind blows.' }).waitFor();
    await lines('memory.recall')
      .getByText(/kite: \d+ results? in/u)
      .waitFor();
  });

  it('Live reads what came during a pause, and names what is lost', async () => {
    const { page, open } = tab;
    await open('#/live');
    await page.getByText('Connected').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused.').waitFor();
    await suite.store({ content: 'Written during the pause.' });
    await suite.service.settled();
    expect(await lines('Written during the pause.').count()).to.equal(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Recalls and other activity during the pause are in no journal').waitFor();
    await lines('Written during the pause.').getByText('memory.stored', { exact: true }).waitFor();
    expect(await lines('Written during the pause.').count()).to.equal(1);
    await page.getByText('Connected').waitFor();
    await suite.store({ content: 'Written after the pause.' });
    await lines('Written after the pause.').first().waitFor();
  });

  it('Entities are listed by category and words, each with its memories', async () => {
    const { page, open } = tab;
    await open('#/browse');
    await page.getByText('Entities', { exact: true }).last().click();
    await page.getByRole('link', { name: 'All entities' }).click();
    const table = page.getByRole('table');
    await table.getByRole('link', { name: 'Ann Lee', exact: true }).waitFor();
    await page.getByLabel('Search').fill('anne-lee');
    await page.getByRole('heading', { name: '1 entity', exact: true }).waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Category').selectOption({ label: 'tools' });
    await table.getByRole('link', { name: 'Hose' }).waitFor();
    await page.getByRole('heading', { name: '1 entity', exact: true }).waitFor();
    await open('#/entities');
    await table.getByRole('link', { name: 'Ann Lee', exact: true }).click();
    await page.getByRole('heading', { name: '2 memories' }).waitFor();
    await page.getByRole('link', { name: 'Ann plans the garden.' }).waitFor();
    await page.getByText('None: no entity was merged into it.').waitFor();
  });

  it('Entities that may be the same are merged after a question', async () => {
    const { page, open } = tab;
    await open('#/entities');
    await page.getByRole('button', { name: 'Find pairs' }).click();
    await page.getByText(/^anne?-lee and anne?-lee \(people\)/u).click();
    for (const [slug, content] of [
      ['ann-lee', 'Ann plans the garden.'],
      ['anne-lee', 'Anne sold the car.'],
    ] as const)
      await page.getByRole('region', { name: slug, exact: true }).getByRole('link', { name: content }).waitFor();
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    const merge = page.getByRole('button', { name: 'Merge anne-lee into ann-lee …' });
    await merge.click();
    await page.getByRole('dialog').getByText('The page of ann-lee can undo it.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await request('GET', '/entity/anne-lee')).entity.slug).to.equal('anne-lee');
    await merge.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('anne-lee is now an alias of ann-lee: 2 memories were changed.').waitFor();
    await page.getByRole('button', { name: 'Undo merge of anne-lee' }).click();
    await page.getByText('anne-lee is an entity again: 2 memories name it again.').waitFor();
    await page.getByText(/^anne?-lee and anne?-lee \(people\)/u).waitFor({ state: 'detached' });
    await page.getByRole('table').getByRole('link', { name: 'Anne Lee', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo merge of anne-lee' }).count()).to.equal(0);
    expect((await request('GET', '/entity/anne-lee')).entity.reference_count).to.equal(2);
  });

  it('Entities show what was merged into one, and undo that after a question', async () => {
    const { page, open } = tab;
    await request('POST', '/entity/anne-lee/merge', { merge_into: 'ann-lee' });
    await open('#/entities/anne-lee');
    await page.getByText('anne-lee is an alias of ann-lee.').waitFor();
    await page.getByRole('heading', { name: '3 memories' }).waitFor();
    await page.getByRole('link', { name: 'Anne sold the car.' }).waitFor();
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await page.getByRole('button', { name: 'Undo merge of anne-lee' }).click();
    await page.getByRole('dialog').getByText('Consolidation does not merge the two again.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo merge' }).click();
    await page.getByRole('link', { name: 'Open anne-lee' }).click();
    await page.getByRole('heading', { name: '2 memories' }).waitFor();
    await page.getByRole('link', { name: 'Anne sold the car.' }).waitFor();
    await page.getByText('None: no entity was merged into it.').waitFor();
  });

  it('Entities undo merges of other categories', async () => {
    const { page, open } = tab;
    for (const category of ['people', 'tools'])
      await suite.store({ content: `Blue of ${category}`, tags: [`entity:${category}:blue`] });
    await suite.store({ content: 'Acme', tags: ['entity:organizations:acme'] });
    for (const category of ['people', 'tools']) {
      await request('POST', '/entity/blue/merge', { merge_into: 'acme' });
      expect((await request('GET', `/entity/blue?category=${category}`)).entity.slug).to.equal('acme');
    }
    await open('#/entities/acme');
    for (const category of ['people', 'tools']) {
      const left = category === 'people' ? 2 : 1;
      await page.getByRole('button', { name: 'Undo merge of blue' }).click();
      const dialog = page.getByRole('dialog', { name: `Undo the merge of blue (${category}) into acme?` });
      await dialog.getByRole('button', { name: 'Undo merge' }).click();
      await page.getByText(`blue (${category}) is an entity again: 1 memory names it again.`).waitFor();
      await page.getByRole('heading', { name: left === 1 ? '1 memory' : `${left} memories` }).waitFor();
    }
    await page.getByText('None: no entity was merged into it.').waitFor();
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await page.getByRole('link', { name: 'Open blue' }).last().click();
    await page.getByRole('link', { name: 'Blue of people' }).waitFor();
  });

  it('Entities show why the undo of a merge is refused', async () => {
    const { page, open } = tab;
    await request('POST', '/entity/blue/merge?category=people', { merge_into: 'ann-lee' });
    await open('#/entities/ann-lee');
    const undo = page.getByRole('button', { name: 'Undo merge of blue' });
    await undo.waitFor();
    await request('POST', '/entity/blue/unmerge?category=people');
    await undo.click();
    await page.getByRole('alert').getByText('blue is not merged into ann-lee any more: reload the page').waitFor();
  });

  it('Entities show why a merge was refused', async () => {
    const { page, open } = tab;
    await open('#/entities/hose?category=tools');
    await page.getByLabel('The entity that stays').fill('no-such-tool');
    await page.getByRole('button', { name: 'Merge …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('alert').getByText('no-such-tool').waitFor();
  });

  it('these views have no axe-core findings, and fit a narrow screen', async () => {
    const views = [
      ['#/work', 'Lag of the enricher'],
      ['#/live', 'Recalls and other activity'],
      ['#/entities', 'Pairs that may be the same'],
      ['#/entities/ann-lee', 'Merge it into another entity'],
    ] as const;
    for (const [colorScheme, width] of [
      ['light', 1_280],
      ['dark', 390],
    ] as const) {
      await tab.page.emulateMedia({ colorScheme });
      await tab.page.setViewportSize({ width, height: 800 });
      for (const [hash, content] of views) {
        await tab.open(hash);
        if (hash === '#/live') {
          await tab.page.getByText('Connected').waitFor();
          await tab.page.getByRole('button', { name: 'Pause' }).click();
          await suite.store({ content: 'x'.repeat(300) });
          await tab.page.getByRole('button', { name: 'Resume' }).click();
        }
        await tab.page.getByText(content).first().waitFor();
        expect(await tab.accessibilityProblems(), `${hash}, ${colorScheme}`).to.deep.equal([]);
        const over = await tab.page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(over, `${hash}, ${width} px`).to.be.at.most(0);
      }
    }
  });

  it('Entities after the first 50 are read for more rows, and for a search', async () => {
    const tags = Array.from({ length: 60 }, (_, number) => `entity:events:fair-${String(number).padStart(2, '0')}`);
    await suite.store({ content: 'A year of fairs.', tags });
    const { page, open } = tab;
    const rows = page.getByRole('table').getByRole('row');
    await open('#/entities?category=events');
    await page.getByRole('heading', { name: '50 entities', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('heading', { name: '60 entities', exact: true }).waitFor();
    await rows.nth(60).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).to.equal(0);
    await open('#/entities?category=events');
    await page.getByLabel('Search').fill('fair-59');
    await page.getByRole('heading', { name: '1 entity', exact: true }).waitFor();
    await rows.nth(1).getByRole('link').waitFor();
  });
});
