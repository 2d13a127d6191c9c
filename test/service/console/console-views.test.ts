/** The console in a browser: the tasks of its users; with hostile text and a change of another client, each front. */
import { expect } from 'chai';
import { ALL_FRONTS, FRONTS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { failingEnrichment } from '../../support/faults/failing-enrichment.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const ASKED = 'Which tea does Anna like?';
const HOSTILE = '<img src=x onerror="alert(document.domain)"><script>alert(1)</script>'.repeat(28).slice(0, 2_000);

for (const front of FRONTS) {
  describe(`the console ${front.name}`, () => {
    const enrichment = failingEnrichment();
    const ids: Record<'tea' | 'ship' | 'hostile' | 'poison', string> = { tea: '', ship: '', hostile: '', poison: '' };

    const { tab, through, service, request, store } = setUpConsole({
      tokens: TOKENS,
      fronts: ALL_FRONTS,
      service: enrichment.options,
      fill: async () => {
        ids.tea = await store({ content: 'Anna likes green tea in the morning.', tags: ['anna', 'drinks'] });
        ids.ship = await store({ content: 'The ship to Oslo leaves at nine.', tags: ['travel'] });
        ids.hostile = await store({
          content: HOSTILE,
          tags: ['<b>bold</b>'],
          metadata: { html: '<img src=x onerror=alert(2)>' },
        });
        ids.poison = await store({ content: 'Nothing enriches this memory.', timestamp: enrichment.timestamp });
        await service.settled();
      },
    });

    through(front);

    /** Lines of the live view. */
    const storedLines = () =>
      tab.page.locator('.lines > li').filter({ has: tab.page.locator('> .chip', { hasText: 'memory.stored' }) });

    it('finds a memory and explains its score', async () => {
      const { page, open } = tab;
      await open('#/recall');
      await page.getByLabel('Query').fill(ASKED);
      await page.getByRole('button', { name: 'Recall' }).click();
      const first = page.getByRole('listitem').filter({ hasText: 'Anna likes green tea' }).first();
      await first.getByRole('img', { name: /^Score \d\.\d{3} by components$/u }).waitFor();
      await first.getByText('Explained').click();
      await first.getByText('Words of the query in its content').waitFor();
      const points = await first.getByRole('table').getByRole('row').allTextContents();
      expect(points.length).to.be.greaterThan(2);
      const sum = points.map((row) => Number(row.replace(/^[a-z]+/u, ''))).reduce((total, each) => total + each, 0);
      const shown = Number(await first.locator('strong').first().textContent());
      expect(sum).to.be.closeTo(shown, 0.01);
      await page.getByRole('list', { name: 'Time of each stage' }).getByText('retrieve').waitFor();
    });

    it('says why a memory is not among the results', async () => {
      const { page, open } = tab;
      await open(`#/recall?query=${encodeURIComponent(ASKED)}&tags=drinks`);
      await page.getByLabel('Id of a memory').fill(ids.ship);
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('A filter leaves it out: it does not have the tags.').waitFor();
      await page.getByLabel('Id of a memory').fill(ids.tea);
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('It is result 1.').waitFor();
    });

    it('supersedes a memory, and shows it as suppressed', async () => {
      const id = await store({ content: 'The office is in Bergen.', tags: ['office'] });
      const { page, open } = tab;
      await open(`#/memory/${id}`);
      await page.getByRole('button', { name: 'Supersede' }).click();
      await page.getByLabel('Content of the new memory').fill('The office is in Stavanger.');
      await page.getByRole('button', { name: 'Supersede …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Supersede', exact: true }).click();
      await page.getByRole('article').getByText('The office is in Stavanger.').waitFor();
      await service.settled();
      await open('#/recall?query=Where+is+the+office');
      await page.getByRole('heading', { name: 'Suppressed' }).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'is replaced by' }).getByText('INVALIDATED_BY').waitFor();
    });

    it('shows what callers associated apart from what the service derived', async () => {
      const id = await store({ content: 'The harbour is closed.', tags: ['harbour'] });
      await request('POST', '/associate', { memory1_id: id, memory2_id: ids.ship, type: 'LEADS_TO', strength: 0.8 });
      await service.settled();
      await tab.open(`#/memory/${id}`);
      const written = tab.page.getByRole('list', { name: 'Written by callers' });
      await written.getByText('LEADS_TO').waitFor();
      expect(await written.getByRole('listitem').count()).to.equal(1);
      const derived = tab.page.getByRole('list', { name: 'Derived from meaning, time and patterns' });
      expect(await derived.locator('.chip').allTextContents())
        .to.include('PRECEDED_BY')
        .and.not.include('LEADS_TO');
    });

    it('redrives a dead letter', async () => {
      const { page, open } = tab;
      await open('#/work');
      await page.getByText('Unexpected TypeError').first().waitFor();
      enrichment.isFailing = false;
      await page.getByRole('button', { name: 'Choose all' }).click();
      await page.getByRole('button', { name: /^Redrive \d+$/u }).click();
      await page.getByText('None: every event was handled').waitFor();
      const enriched = async () => (await request('GET', `/memory/${ids.poison}`)).body.memory.enriched === true;
      await until('the memory is enriched', enriched);
    });

    it('pauses and resumes a projector after a confirmation', async () => {
      const { page, open } = tab;
      await open('#/work');
      await page.getByRole('button', { name: 'Pause enricher' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'Resume enricher' }).click();
      await page.getByRole('button', { name: 'Pause enricher' }).waitFor();
    });

    it('holds the live lines still under the pointer', async () => {
      const { page, open } = tab;
      await open('#/live');
      await page.getByText('Connected').waitFor();
      await store({ content: 'The first line.', tags: ['line'] });
      const data = storedLines().locator('> details > summary');
      await data.first().hover();
      await page.mouse.down();
      await store({ content: 'The second line.', tags: ['line'] });
      await page.getByText(/newer lines? waits? until the pointer leaves the list/u).waitFor();
      await page.mouse.up();
      await page.getByText('"The first line."').filter({ visible: true }).waitFor();
      expect(await data.count()).to.equal(1);
      await page.getByRole('heading', { level: 1 }).hover();
      await until('the second line is shown', async () => (await data.count()) === 2);
    });

    it('has no axe-core findings in any view or colour scheme', async () => {
      const views = [
        ['', 'Growth in 30 days'],
        ['#/recall', 'Type a question'],
        ['#/recall?query=tea', 'Why not this one?'],
        ['#/recall?query=tea&b.query=ship', 'From A to B'],
        [`#/memory/${ids.tea}`, 'Inner ring: associations.'],
        ['#/browse', 'Select all'],
        ['#/live', 'Connected'],
        ['#/work', 'The journal ends at position'],
        ['#/webhooks', 'No address gets events yet.'],
        ['#/keys', 'There are no keys yet.'],
        ['#/health', 'The service is'],
      ] as const;
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        for (const [hash, content] of views) {
          await tab.open(hash);
          await tab.page.getByText(content).first().waitFor();
          expect(await tab.accessibilityProblems(), `${hash}, ${colorScheme}`).to.deep.equal([]);
        }
      }
    });

    it('needs the keyboard alone', async () => {
      const { page, open } = tab;
      await open('#/recall');
      const focused = (): Promise<string> =>
        page.evaluate('(document.activeElement.textContent || document.activeElement.name || "").trim()');
      const tabTo = async (text: string): Promise<void> => {
        for (let steps = 0; steps < 60 && !(await focused()).startsWith(text); steps += 1)
          await page.keyboard.press('Tab');
        expect(await focused()).to.match(new RegExp(`^${text}`, 'u'));
      };
      await tabTo('query');
      await page.keyboard.type(ASKED);
      await page.keyboard.press('Enter');
      await page.getByText('Anna likes green tea').first().waitFor();
      await tabTo('Anna likes green tea');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).to.equal('solid');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Memory' }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).waitFor();
      await tabTo('Delete');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect((await request('GET', `/memory/${ids.tea}`)).status).to.equal(200);
    });

    for (const each of ALL_FRONTS)
      describe(`on a bad day, ${each.name}${GATEWAYS_NOTE}`, () => {
        through(each);

        it('offers both versions when another client was first', async () => {
          const id = await store({ content: 'The meeting is at ten.' });
          const { page, open } = tab;
          const edit = async (content: string): Promise<void> => {
            await open(`#/memory/${id}`);
            await page.getByRole('button', { name: 'Edit' }).click();
            await page.getByRole('textbox', { name: 'Content' }).fill(content);
            await request('PATCH', `/memory/${id}`, { content: `Theirs, before: ${content}` });
            await page.getByRole('button', { name: 'Save …' }).click();
            await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
            await page.getByText('Which version is to stay?').waitFor();
          };
          const stored = async (): Promise<string> => (await request('GET', `/memory/${id}`)).body.memory.content;

          await edit('The meeting is at eleven.');
          await page.getByRole('button', { name: 'Theirs: drop my change' }).click();
          await page.getByRole('article').getByText('Theirs, before: The meeting is at eleven.').waitFor();
          expect(await stored()).to.equal('Theirs, before: The meeting is at eleven.');

          await edit('The meeting is at noon.');
          await page.getByRole('button', { name: 'Mine: write it over theirs' }).click();
          await page.getByRole('article').getByText('The meeting is at noon.', { exact: true }).waitFor();
          expect(await stored()).to.equal('The meeting is at noon.');
          await page.getByRole('heading', { name: 'History' }).waitFor();
          const slider = page.getByRole('slider', { name: 'Version' });
          await slider.waitFor();
          // The newest version may be one of the enricher.
          await until('the slider is at the edit', async () => {
            if ((await page.locator('ins:visible', { hasText: 'noon.' }).count()) > 0) return true;
            await slider.press('ArrowLeft');
            return false;
          });
        });

        it('shows hostile text as text', async () => {
          const { page, open } = tab;
          const recalls = ['#/recall?query=img+src', '#/recall?query=img+src&b.query=script'];
          for (const hash of [`#/memory/${ids.hostile}`, '#/browse', ...recalls, '#/live']) {
            await open(hash);
            if (hash === '#/live') {
              await page.getByText('Connected').waitFor();
              await store({ content: HOSTILE, tags: ['again'] });
              await storedLines().locator('> details > summary').first().click();
            }
            await page.getByText('<img src=x').filter({ visible: true }).first().waitFor();
            expect(await page.locator('main img, main script, main b').count(), hash).to.equal(0);
          }
        });
      });
  });
}
