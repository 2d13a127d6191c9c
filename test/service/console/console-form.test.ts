/** The form of the console: palette and shortcuts, toasts, times, focus, phones, kept tokens and both schemes. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../../support/checks/until.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const HEBREW = 'שלום עולם, the first words decide the direction.';
const LONG = 'x'.repeat(300);
const PHONE = { width: 390, height: 844 };
/** More than two pages of Browse. */
const MANY = 120;
const NAMES = ['palimpsest.token', 'palimpsest.admin-token'] as const;
/** Views with content that the navigation does not open. */
const WITH_CONTENT = ['#/recall?query=tea', '#/recall?query=tea&b.query=ship'];

describe('the form of the console', () => {
  const ids = { tea: '', hebrew: '' };
  const { tab, openAs, ...suite } = setUpConsole({
    tokens: TOKENS,
    service: { enriches: true },
    fill: async () => {
      const memories = Array.from({ length: MANY }, (_, number) => ({ content: `Note ${number} of many.` }));
      await request('POST', '/memory/batch', { memories: memories.slice(0, 100) });
      await request('POST', '/memory/batch', { memories: memories.slice(100) });
      ids.tea = await suite.store({ content: `Anna likes green tea. ${LONG}`, tags: ['drinks', LONG.slice(0, 100)] });
      ids.hebrew = await suite.store({ content: HEBREW, tags: ['שלום'] });
      const relation = { memory1_id: ids.tea, memory2_id: ids.hebrew, type: 'RELATES_TO', strength: 0.9 };
      await request('POST', '/associate', relation);
      await request('POST', '/admin/webhooks', { url: `https://example.org/${LONG}`, types: [], tags: [] });
      await request('POST', '/admin/keys', { name: 'n'.repeat(40), scopes: ['memories:read'] });
      await suite.service.settled();
    },
  });
  let page: Page;
  beforeEach(() => {
    page = tab.page;
  });

  async function request(method: string, path: string, body?: object) {
    const reply = await suite.request(method, path, body);
    expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf([200, 201]);
    return reply.body;
  }
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const palette = () => page.getByRole('dialog', { name: 'Commands' });
  const focusedName = (): Promise<string> =>
    page.evaluate('document.activeElement.name || document.activeElement.textContent.trim()');
  const attribute = (name: string): Promise<string | null> => page.locator('html').getAttribute(name);

  /** Of each view in the navigation, and of those with content. */
  async function hashes(): Promise<readonly string[]> {
    const links = page.locator('nav a');
    const views = await links.evaluateAll((found) => found.map((each) => each.getAttribute('href') ?? ''));
    expect(views.length).to.be.at.least(10);
    return [...views, ...WITH_CONTENT, `#/memory/${ids.tea}`, `#/graph/${ids.tea}`];
  }
  /** Opens a view and waits for what it reads. */
  async function openWhole(hash: string): Promise<void> {
    await tab.open(hash);
    await page.locator('main section, main dl, main form, main .note').filter({ visible: true }).first().waitFor();
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
  }

  it('goes to views, memories and recalls from the palette', async () => {
    await tab.open('#/overview');
    await page.keyboard.press('Control+k');
    const field = palette().getByRole('combobox');
    await field.fill('go to');
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    const active = palette().locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`);
    expect(await active.getAttribute('aria-selected')).to.equal('true');
    expect(await active.textContent()).to.include('Go to Memory');
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    await field.press('ArrowUp'); // from the first to the last
    expect(await palette().getByRole('option', { selected: true }).textContent()).to.include('Recall “go to”');
    await field.fill('graph');
    await field.press('Enter');
    await heading('Graph').waitFor();
    expect(await palette().count()).to.equal(0);

    await page.keyboard.press('Control+k');
    await page.keyboard.type(ids.tea);
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('Anna likes green tea.').waitFor();

    await page.getByRole('button', { name: 'Commands' }).click();
    await page.keyboard.type('green tea');
    await palette().getByRole('option', { name: 'Recall “green tea”' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Anna likes green tea' }).first().waitFor();
    expect(new URL(page.url()).hash).to.equal('#/recall?query=green+tea');

    await page.keyboard.press('Control+k');
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    expect(await attribute('data-scheme')).to.equal('dark');
    await page.keyboard.press('Control+k');
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  it('has shortcuts, but none while the user types', async () => {
    await tab.open('#/overview');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await heading('Recall lab').waitFor();
    await page.keyboard.press('/');
    expect(await focusedName()).to.equal('query');
    await page.keyboard.type('gw/?');
    expect(await page.getByLabel('Query').inputValue()).to.equal('gw/?');
    expect(await page.locator('dialog[open]').count()).to.equal(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Shortcuts' });
    await list.getByText('g w', { exact: true }).waitFor();
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    // A dialog has its own keys.
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    expect(new URL(page.url()).hash).to.equal('#/recall');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await heading('Work').waitFor();
  });

  it('moves the focus to a new view before the user can type there', async () => {
    await tab.open('#/overview');
    const focused = page.evaluate(`new Promise((resolve) => {
      const main = document.querySelector('main');
      new MutationObserver(() => {
        if (main.querySelector('input[name="query"]') !== null) resolve(document.activeElement === main);
      }).observe(main, { childList: true, subtree: true });
      location.hash = '#/recall';
    })`);
    expect(await focused).to.equal(true);
  });

  it('shows one toast of a kind, which stays under the pointer', async () => {
    const id = await suite.store({ content: 'A memory to change.' });
    await page.clock.install();
    await tab.open(`#/memory/${id}`);
    const toast = page.locator('.toast');
    const save = async (content: string): Promise<void> => {
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Content' }).fill(content);
      await page.getByRole('button', { name: 'Save …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('article').getByText(content).waitFor();
    };
    await save('Changed once.');
    await save('Changed twice.');
    await toast.getByText('Saved.').waitFor();
    expect(await toast.count()).to.equal(1);
    await toast.hover();
    await page.clock.runFor(60_000);
    expect(await toast.count()).to.equal(1);
    await toast.getByRole('button', { name: 'Close message' }).focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(60_000);
    expect(await toast.count()).to.equal(1);
    await page.getByRole('main').focus();
    await page.clock.runFor(10_000);
    await toast.waitFor({ state: 'detached' });
  });

  it('shows times relative to now, and follows the clock', async () => {
    const id = await suite.store({ content: 'A memory of now.' });
    await page.clock.install();
    await tab.open(`#/memory/${id}`);
    const time = page.getByRole('article').locator('time').first();
    await time.getByText(/^just now/u).waitFor();
    expect(await time.getAttribute('title')).to.match(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC$/u);
    expect(await time.textContent()).to.include(`(${await time.getAttribute('title')})`);
    await page.clock.fastForward(3_700_000);
    await time.getByText(/^1 h ago/u).waitFor();
  });

  it('keeps the focus after a search and after another page of a list', async () => {
    await tab.open('#/recall');
    await page.getByLabel('Query').fill('green tea');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Anna likes green tea' }).first().waitFor();
    expect(await focusedName()).to.equal('query');
    await tab.open('#/browse');
    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    for (const first of ['51 to', '101 to']) {
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: first }).waitFor();
      if (first === '51 to') await until('the focus is back', async () => (await focusedName()) === 'Next');
    }
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByRole('heading', { name: '51 to' }).waitFor();
    await until('the focus is back', async () => (await focusedName()) === 'Previous');
    await page.getByRole('heading', { level: 1 }).click();
    expect(await page.evaluate('document.activeElement === document.body || document.activeElement.tagName')).to.equal(
      'MAIN',
    );
  });

  it('shows grey lines while it reads, and red buttons for what destroys', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/memory/${ids.tea}`, async (route) => {
      await held;
      await route.continue();
    });
    await tab.open(`#/memory/${ids.tea}`);
    await page.locator('main [aria-busy="true"]').waitFor();
    await page.getByText('Reading the memory …').waitFor({ state: 'attached' });
    release();
    const button = page.getByRole('button', { name: 'Delete' });
    await button.focus();
    // The dialog is open before the next picture: a user may press Escape at once.
    const opensAtOnce = await button.evaluate(async (element) => {
      element.click();
      for (let turn = 0; turn < 20; turn += 1) await null; // microtasks alone
      return element.ownerDocument.querySelector('dialog[open]') !== null;
    });
    expect(opensAtOnce).to.equal(true);
    const colour = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('dialog button.danger')).backgroundColor",
    );
    const [red = 0, green = 255, blue = 255] = colour.match(/\d+/gu)?.map(Number) ?? [];
    expect([red > 2 * green, red > 2 * blue]).to.deep.equal([true, true]);
    await page.keyboard.press('Escape');
    await until('the focus is back', async () => (await focusedName()) === 'Delete');
    expect(await page.locator('main [aria-busy="true"]').count()).to.equal(0);
  });

  it('writes content in the direction of its first words', async () => {
    for (const hash of [
      `#/memory/${ids.hebrew}`,
      `#/memory/${ids.tea}`,
      '#/browse',
      '#/recall?query=שלום',
      '#/overview',
    ]) {
      await tab.open(hash);
      const text = page.locator('main').getByText(HEBREW).filter({ visible: true }).first();
      await text.waitFor();
      expect(await text.evaluate((element) => element.matches(':dir(rtl)')), hash).to.equal(true);
    }
  });

  it('fits a phone in each view, and folds the navigation', async () => {
    await page.setViewportSize(PHONE);
    await tab.open('#/overview');
    for (const hash of await hashes()) {
      await openWhole(hash);
      const [width, shown] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(width, hash).to.be.at.most(shown);
    }
    const views = page.getByRole('navigation', { name: 'Views' });
    expect(await views.isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await views.getByRole('link', { name: 'Health' }).click();
    await heading('Health').waitFor();
    await views.waitFor({ state: 'hidden' });
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has no axe-core findings in any view in the ${colorScheme} scheme`, async () => {
      await page.emulateMedia({ colorScheme });
      await tab.open('#/overview');
      for (const hash of await hashes()) {
        await openWhole(hash);
        expect(await tab.accessibilityProblems(), hash).to.deep.equal([]);
      }
      await page.getByRole('button', { name: 'Tokens' }).click();
      expect(await tab.accessibilityProblems(), 'tokens').to.deep.equal([]);
    });

  describe('tokens', () => {
    beforeEach(async () => {
      await openAs({});
      page = tab.page;
    });
    const stored = (): Promise<readonly (string | null)[][]> =>
      page.evaluate(
        `[localStorage, sessionStorage].map((storage) => ${JSON.stringify(NAMES)}.map((name) => storage.getItem(name)))`,
      );
    async function enter(token: string, isKept: boolean): Promise<void> {
      await tab.open('#/browse');
      await page.getByRole('alert').getByText('401: Unauthorized').waitFor();
      await page.getByRole('button', { name: 'Enter a token' }).click();
      await page.getByLabel('API token or key').fill(token);
      if (isKept) await page.getByLabel('Keep them in this browser').check();
      await page.getByRole('button', { name: 'Use' }).click();
      await page.getByText('1 to 50').waitFor();
    }

    it('stay in the tab unless the user keeps them', async () => {
      await enter(TOKENS.token, false);
      expect(await stored()).to.deep.equal([
        [null, null],
        [TOKENS.token, null],
      ]);
    });

    it('are kept for the browser until the user signs out', async () => {
      await enter(TOKENS.token, true);
      expect(await stored()).to.deep.equal([
        [TOKENS.token, null],
        [null, null],
      ]);
      const second = await page.context().newPage();
      await second.goto(`${suite.service.url}/console/#/browse`);
      await second.getByText('1 to 50').waitFor();
      await page.getByRole('button', { name: 'Tokens' }).click();
      expect(await page.getByLabel('Keep them in this browser').isChecked()).to.equal(true);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('Signed out.').waitFor();
      expect((await stored()).flat()).to.deep.equal([null, null, null, null]);
      for (const each of [page, second]) await each.getByRole('alert').getByText('401: Unauthorized').waitFor();
    });

    it('are removed when the service refuses them', async () => {
      const { key, secret } = await request('POST', '/admin/keys', { name: 'kept', scopes: ['memories:read'] });
      await enter(secret, true);
      await request('DELETE', `/admin/keys/${key.id}`);
      await until('the key is refused', async () => {
        const headers = { authorization: `Bearer ${secret}` };
        return (await suite.service.request('GET', '/memories', { headers })).status === 401;
      });
      await page.reload();
      await page.getByText('It is removed from this browser.').waitFor();
      expect((await stored()).flat()).to.deep.equal([null, null, null, null]);
    });
  });
});
