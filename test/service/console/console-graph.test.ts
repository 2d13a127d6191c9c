/** The graph view of the console in a browser, at the embedded service and behind both gateways. */
import { expect } from 'chai';
import { FRONTS } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const HOSTILE = '<img src=x onerror="alert(document.domain)"><script>alert(1)</script>';
const SPOKES = 130;
/** As in the picture of the console. */
const HUB_LIMIT = 50;

/** Run in the page: keeps the labels of the picture as it is now. */
const RECORD_LABELS = `
  window.labels = [];
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  const isOfLabels = ({ canvas }) => canvas.classList.contains('sigma-labels');
  CanvasRenderingContext2D.prototype.fillText = function (text, left, baseline) {
    const { width } = this.measureText(text);
    const { clientWidth, clientHeight } = this.canvas;
    if (isOfLabels(this)) window.labels.push({ text, left, baseline, width, clientWidth, clientHeight });
    fillText.call(this, text, left, baseline);
  };
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    if (isOfLabels(this)) window.labels = [];
    clearRect.apply(this, area);
  };`;
type Label = Readonly<Record<'left' | 'baseline' | 'width' | 'clientWidth' | 'clientHeight', number>> & {
  readonly text: string;
};

/** Types a tag in the moment in which the picture has changed, and resolves with what is in the field later. */
const CLEAR_AND_TYPE = `new Promise((resolve) => {
  const tag = document.querySelector('[name=tag]');
  new MutationObserver((_, observer) => {
    observer.disconnect();
    tag.value = 'typed';
    requestAnimationFrame(() => setTimeout(() => resolve(tag.value), 200));
  }).observe(document.querySelector('#picture-title'), { childList: true, characterData: true, subtree: true });
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Clear filters').click();
})`;

for (const front of FRONTS) {
  describe(`the graph view ${front.name}`, () => {
    const ids: Record<'tea' | 'coffee' | 'ship' | 'hostile' | 'hub', string> = {
      tea: '',
      coffee: '',
      ship: '',
      hostile: '',
      hub: '',
    };

    const { tab, service, request, store } = setUpConsole({
      tokens: TOKENS,
      fronts: [front],
      context: { reducedMotion: 'reduce' },
      fill: async () => {
        const importance = 0.9;
        ids.tea = await store({ content: 'Anna drinks green tea.', tags: ['anna'], type: 'Preference', importance });
        ids.coffee = await store({ content: 'Anna drank coffee.', type: 'Habit', timestamp: '2020-01-02T12:00:00Z' });
        ids.ship = await store({ content: 'The ship to Oslo leaves at nine.', type: 'Insight' });
        ids.hostile = await store({ content: HOSTILE, tags: ['<b>bold</b>'], type: 'Context' });
        ids.hub = await store({ content: 'Everything is part of this.', type: 'Pattern' });
        await associate([
          { memory1_id: ids.coffee, memory2_id: ids.tea, type: 'EVOLVED_INTO', strength: 0.9 },
          { memory1_id: ids.tea, memory2_id: ids.hostile, type: 'CONTRADICTS', strength: 0.8 },
          { memory1_id: ids.hostile, memory2_id: ids.ship, type: 'RELATES_TO', strength: 0.2 },
        ]);
        const memories = Array.from({ length: SPOKES }, (_, at) => ({
          content: `Part ${at}`,
          importance: at / SPOKES,
        }));
        const { body } = await request('POST', '/memory/batch', { memories });
        await associate(
          (body.memory_ids as readonly string[]).map((id, at) => ({
            memory1_id: id,
            memory2_id: ids.hub,
            type: 'PART_OF',
            strength: 1 - at / SPOKES,
          })),
        );
        await service.settled();
      },
    });

    async function associate(associations: readonly object[]): Promise<void> {
      expect((await request('POST', '/associate', { associations })).body.failed).to.deep.equal([]);
    }

    const pictureOf = (text: string) => tab.page.getByRole('heading', { name: text }).waitFor();
    /** The drawing is there, and the layout has ended. */
    const drawn = async (): Promise<void> => {
      await tab.page.locator('.stage canvas').first().waitFor();
      await tab.page.getByText('Arranging …').waitFor({ state: 'detached' });
    };
    const panel = () => tab.page.getByRole('complementary', { name: 'Selected memory' });

    it('starts from one memory, and a click adds its neighbours', async () => {
      const { page, open } = tab;
      await open(`#/memory/${ids.coffee}`);
      await page.getByRole('link', { name: 'Open in Graph' }).click();
      await pictureOf('2 memories, 1 association');
      await panel().getByText('Anna drank coffee.').waitFor();
      await panel().getByRole('button', { name: 'Anna drinks green tea.' }).click();
      await panel().getByText('Preference').waitFor();
      await drawn();
      // The camera is at the selected memory.
      await page.getByRole('application').click();
      await pictureOf('3 memories, 2 associations');
    });

    it('needs the keyboard alone to go to a neighbour and to add neighbours', async () => {
      const { page, open } = tab;
      await open(`#/graph/${ids.coffee}`);
      await pictureOf('2 memories, 1 association');
      await drawn();
      await page.getByRole('application').focus();
      const selected = page.getByRole('status').filter({ hasText: 'Selected: Anna drinks green tea., Preference, 1' });
      for (const direction of ['Up', 'Right', 'Down', 'Left']) {
        await page.keyboard.press(`Arrow${direction}`);
        const end = page.getByRole('status').filter({ hasText: `in this direction: ${direction.toLowerCase()}.` });
        await selected.or(end).waitFor();
        if ((await selected.count()) > 0) break;
      }
      await selected.waitFor();
      await page.keyboard.press('Enter');
      await pictureOf('3 memories, 2 associations');
      for (const key of ['+', '-', '0']) await page.keyboard.press(key);
      await page.keyboard.press('Escape');
      await page.getByText('Select a memory to see it here.').waitFor();
    });

    it('draws labels within the border, and none over another', async () => {
      const { page, open } = tab;
      await page.addInitScript(RECORD_LABELS);
      await open('#/graph');
      await drawn();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      // The picture before the click has fewer labels, and its frame may come after the click.
      const labels = await until('the labels of the zoomed picture are drawn', async () => {
        const last = await page.evaluate<readonly Label[]>('window.labels');
        return last.length > 10 && last;
      });
      for (const { text, left, baseline, width, clientWidth, clientHeight } of labels) {
        expect(
          [left, clientWidth - left - width, baseline - 9, clientHeight - baseline - 3].map(Math.sign),
          text,
        ).to.not.include(-1);
        const over = labels.filter(
          (other) =>
            other.left < left + width && left < other.left + other.width && Math.abs(other.baseline - baseline) < 12,
        );
        expect(over.map((other) => other.text)).to.deep.equal([text]);
      }
    });

    it('finds a memory by words and selects it', async () => {
      const { page, open } = tab;
      await open(`#/graph/${ids.coffee}`);
      await pictureOf('2 memories, 1 association');
      await page.getByLabel('Find').fill('ship to Oslo');
      await page.getByRole('button', { name: 'Find' }).click();
      await panel().getByText('The ship to Oslo leaves at nine.').waitFor();
      await pictureOf('4 memories, 2 associations');
    });

    it('filters by type, tag, time and strength, as in its address', async () => {
      const { page, open } = tab;
      const start = `#/graph/${ids.tea}`;
      await open(start);
      await pictureOf('3 memories, 2 associations');
      await page.getByLabel('CONTRADICTS').click();
      await pictureOf('3 memories, 1 association');
      await page.getByLabel('Habit').click();
      await pictureOf('2 memories, 0 associations');
      expect(page.url()).to.match(/\?hide=CONTRADICTS%2CHabit$/u);
      await page.reload();
      await pictureOf('2 memories, 0 associations');
      for (const [name, value, content] of [
        ['strength', '0.85', '3 memories, 1 association'],
        ['tag', 'anna', '1 memory, 0 associations'],
        ['since', '2020-01-03', '2 memories, 1 association'],
        ['until', '2020-01-02', '1 memory, 0 associations'],
      ] as const) {
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await pictureOf('3 memories, 2 associations');
        await page.locator(`[name=${name}]`).fill(value);
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await pictureOf(content);
        expect(page.url()).to.contain(`${name}=${value}`);
      }
    });

    it('keeps what is typed as soon as the picture shows cleared filters', async () => {
      await tab.open(`#/graph/${ids.tea}?tag=anna`);
      await pictureOf('1 memory, 0 associations');
      expect(await tab.page.evaluate(CLEAR_AND_TYPE)).to.equal('typed');
    });

    it(`draws the strongest ${HUB_LIMIT} associations of a hub and says so`, async () => {
      const { page, open } = tab;
      await open(`#/graph/${ids.hub}`);
      await pictureOf(`${HUB_LIMIT + 1} memories, ${HUB_LIMIT} associations`);
      await page.getByText(`1 memory has more than ${HUB_LIMIT} associations`).waitFor();
      await page.getByText('The picture as a list').click();
      const rows = page.getByRole('region', { name: 'Associations of the picture' }).getByRole('row');
      expect(await rows.nth(1).getByRole('cell').allTextContents()).to.deep.equal([
        'Part 0',
        'PART_OF',
        'Everything is part of this.',
        '1.00',
      ]);
      await page.getByRole('button', { name: /^Add the 300/u }).click();
      // All memories are in the picture; the hub still has its strongest associations alone.
      await pictureOf(`${SPOKES + 5} memories, ${HUB_LIMIT + 3} associations`);
    });

    it('shows hostile text as text', async () => {
      const { page, open } = tab;
      await open(`#/graph/${ids.hostile}`);
      await drawn();
      await page.getByText('The picture as a list').click();
      for (const place of [panel(), page.getByRole('region', { name: 'Memories of the picture' })])
        await place.getByText('<img src=x').first().waitFor();
      expect(await page.locator('main img, main script, main b').count()).to.equal(0);
    });

    it('has the list without WebGL', async () => {
      const { page, open } = tab;
      await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
      await open(`#/graph/${ids.coffee}`);
      await page.getByText('this browser offers no WebGL').waitFor();
      await page.getByText('The picture as a list').click();
      await page.getByRole('region').getByRole('button', { name: 'Anna drinks green tea.' }).click();
      await panel().getByText('Preference').waitFor();
    });

    it('has no axe-core findings in either colour scheme', async () => {
      const { page, open } = tab;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await open('#/graph');
        await open(`#/graph/${ids.tea}`);
        await panel().getByText('CONTRADICTS').waitFor();
        await drawn();
        await page.getByText('The picture as a list').click();
        await page.getByRole('region', { name: 'Memories of the picture' }).waitFor();
        expect(await tab.accessibilityProblems(), colorScheme).to.deep.equal([]);
      }
    });
  });
}
