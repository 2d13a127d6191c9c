/** Keys in the console: what an administrator does with them in a browser, and what its holder sees in each view. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { KEY_NAME_LIMIT } from '../../../shared/contract/limits.js';
import { type Scope, SCOPE_NAMES } from '../../../shared/contract/scopes.js';
import { hashOfKey, newKey } from '../../../shared/kernel/keys.js';
import { FRONTS } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const HOSTILE = '<img src=x onerror="alert(document.domain)"><b>bold</b>';
const SECRET = /^plm_[0-9A-Za-z]{38}$/u;
const CONTEXT = { permissions: ['clipboard-read', 'clipboard-write'] };

for (const front of FRONTS) {
  describe(`keys in the console ${front.name}`, () => {
    let memory: string;
    const { tab, openAs, service, request } = setUpConsole({
      tokens: TOKENS,
      fronts: [front],
      context: CONTEXT,
      fill: async () => {
        const memories = [{ content: 'Anna likes green tea.' }, { content: 'Anna drinks green tea in the morning.' }];
        [memory] = (await request('POST', '/memory/batch', { memories })).body.memory_ids;
        await service.settled();
      },
    });
    afterEach(async () => {
      for (const { id } of await service.engines.keys.list()) await service.engines.keys.remove(id);
    });

    async function create(name: string, scopes: readonly Scope[], body: object = {}): Promise<string> {
      const { status, body: made } = await request('POST', '/admin/keys', { name, scopes, ...body });
      expect(status).to.equal(201);
      return made.secret as string;
    }
    const all = async () => (await request('GET', '/admin/keys')).body.keys;
    const recall = async (key: string): Promise<number> =>
      (await service.request('GET', '/recall?query=tea', { headers: { authorization: `Bearer ${key}` } })).status;

    const button = (name: string | RegExp) => tab.page.getByRole('button', { name });
    const confirm = (name: string) => tab.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    const shownKey = () => tab.page.getByLabel('Key', { exact: true });
    const row = (name: string): Locator =>
      tab.page
        .getByRole('list', { name: 'Keys' })
        .getByRole('listitem')
        .filter({ has: tab.page.getByRole('heading', { name, exact: true }) });
    async function openControls(name: string): Promise<void> {
      await tab.open('#/keys');
      await row(name).getByText('Rotate or revoke').click();
    }

    it('makes one with scopes, limits and an expiry, and shows it once', async () => {
      const { page, open } = tab;
      await open('#/keys');
      await page.getByText('There are no keys yet.').waitFor();
      await button('New key').click();
      await page.getByLabel('Name').fill('help-desk');
      await page.getByLabel('Tag', { exact: true }).fill('agent:desk');
      await page.getByLabel('Requests per minute').fill('600');
      await page.getByLabel('Expires').fill('2999-01-02');
      await page.getByLabel('memories:read Recall and read memories and their associations.').check();
      await page.getByLabel('memories:write').check();
      await button('Make the key').click();
      const key = await shownKey().inputValue();
      expect(key).to.match(SECRET);
      await page.getByText('The key of help-desk. It is shown this once, and never again').waitFor();
      await button('Copy').click();
      await page.getByText('Copied.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(key);
      await button('Done').click();
      await shownKey().waitFor({ state: 'detached' });
      await row('help-desk')
        .getByText(/^active, expires in \d+ y \(2999-01-02 00:00:00 UTC\)$/u)
        .waitFor();
      await row('help-desk').getByText('Only agent:desk. 600 requests per minute. Never used, made ').waitFor();
      expect(await page.content()).to.not.include(key);
      const limits = { tag: 'agent:desk', requests_per_minute: 600 };
      expect((await all())[0]).to.deep.include({ scopes: ['memories:read', 'memories:write'], ...limits });
      expect(await recall(key)).to.equal(200);
    });

    it('says why a key cannot be made', async () => {
      await create('taken', ['memories:read']);
      const { page, open } = tab;
      await open('#/keys');
      await button('New key').click();
      for (const [name, scopes, problem] of [
        ['two words', ['memories:read'], /^400: .*name/u],
        ['agent', [], /^400: .*scopes/u],
        ['taken', ['memories:read'], "409: A key with the name 'taken' exists"],
      ] as const) {
        await page.getByLabel('Name').fill(name);
        await page.getByLabel('memories:read').setChecked(scopes.length > 0);
        await button('Make the key').click();
        await page.getByRole('alert').getByText(problem).waitFor();
      }
      await page.getByLabel('Name').fill('late');
      await page.getByLabel('Expires').fill('2001-01-01');
      await button('Make the key').click();
      await page.getByText("400: 'expires_at' must be in the future").waitFor();
      expect(await all()).to.have.length(1);
    });

    it('shows whether a key works, and when it was used', async () => {
      const used = await create('used', ['memories:read']);
      const expiresAt = new Date(Date.now() + 90 * 60_000).toISOString();
      await create('short', ['memories:read'], { expires_at: expiresAt });
      const expired = {
        id: randomUUID(),
        name: 'expired',
        scopes: ['graph:read'] as const,
        tag: null,
        requestsPerMinute: null,
        hash: hashOfKey(newKey()),
      };
      await service.engines.keys.create({ ...expired, expiresAt: '2001-02-03T04:05:06+00:00' });
      await recall(used);
      await until('the use to be counted', async () => (await all())[0].uses > 0);
      await tab.open('#/keys');
      await row('used').getByText('active, never expires').waitFor();
      await row('used')
        .getByText(/^Last used just now \(2\S+ \S+ UTC\), 1 use, made /u)
        .waitFor();
      await row('short')
        .getByText(/^active, expires in 1 h \(/u)
        .waitFor();
      await row('expired')
        .getByText(/^expired \d+ y ago \(2001-02-03 04:05:06 UTC\)/u)
        .waitFor();
      await row('expired').getByText('graph:read').waitFor();
    });

    it('rotates with an overlap, and without one', async () => {
      const first = await create('agent', ['memories:read']);
      const { page } = tab;
      await openControls('agent');
      await page.getByLabel('Hours with both keys').fill('12');
      await button('Rotate …').click();
      await page.getByRole('dialog').getByText('Both keys work for 12 hours').waitFor();
      await confirm('Rotate');
      const second = await shownKey().inputValue();
      expect(second).to.match(SECRET);
      await row('agent')
        .getByText(/^The key before still works; it ends in \d+ h \(2\S+ \S+ UTC\)$/u)
        .waitFor();
      expect([await recall(first), await recall(second)]).to.deep.equal([200, 200]);
      await page.getByLabel('Hours with both keys').fill('0');
      await button('Rotate …').click();
      await page.getByRole('dialog').getByText('refused from now on').waitFor();
      await confirm('Rotate');
      await until('another key is shown', async () => (await shownKey().inputValue()) !== second);
      for (const before of [first, second])
        await until('the key before is refused', async () => (await recall(before)) === 401);
      expect(await recall(await shownKey().inputValue())).to.equal(200);
      await row('agent').getByText('The key before').waitFor({ state: 'detached' });
    });

    it('revokes after a confirmation', async () => {
      const key = await create('agent', ['memories:read']);
      await create('other', ['memories:read']);
      const { page } = tab;
      await openControls('agent');
      await row('agent').getByRole('button', { name: 'Revoke …' }).click();
      await page.getByRole('dialog').getByText('Revoke the key of agent?').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await all()).to.have.length(2);
      await row('agent').getByRole('button', { name: 'Revoke …' }).click();
      await confirm('Revoke');
      await row('agent').waitFor({ state: 'detached' });
      expect((await all()).map(({ name }: { name: string }) => name)).to.deep.equal(['other']);
      await until('the key is refused', async () => (await recall(key)) === 401);
    });

    it('says why an administrator without rights sees no keys', async () => {
      const reader = await create('reader', ['memories:read']);
      for (const [tokens, problem] of [
        [{ token: TOKENS.token }, '401: Admin authorization required'],
        [{ token: TOKENS.token, adminToken: 'wrong' }, '401: Admin authorization required'],
        [{ token: reader }, "403: The key 'reader' lacks the scope admin:keys"],
      ] as const) {
        await openAs(tokens);
        await tab.open('#/keys');
        await tab.page.getByRole('alert').getByText(problem).waitFor();
        await tab.page.getByText('There are no keys yet.').waitFor({ state: 'detached' });
      }
    });

    it('gives no scopes that the own key lacks', async () => {
      await openAs({ token: await create('keeper', ['admin:keys', 'memories:read']) });
      await create('writer', ['memories:write']);
      const { page } = tab;
      await openControls('writer');
      await button('Rotate …').click();
      await confirm('Rotate');
      await row('writer').getByText('403: A key gives only scopes that it has itself').waitFor();
      await button('New key').click();
      await page.getByLabel('Name').fill('agent');
      await page.getByLabel('memories:read').check();
      await button('Make the key').click();
      await shownKey().waitFor();
      expect(await all()).to.have.length(3);
    });

    it('opens every view to a key with all scopes, without the admin token', async () => {
      const key = await create('operator', SCOPE_NAMES);
      await openAs({});
      const { page, open } = tab;
      await open('#/keys');
      await page.getByRole('alert').getByText('401: Unauthorized').waitFor();
      await button('Enter a token').click();
      await page.getByLabel('API token or key').fill(key);
      await button('Use').click();
      await row('operator').waitFor();
      for (const [hash, ...contents] of [
        ['#/overview', 'The last hour', 'Latest changes'],
        ['#/recall?query=tea', 'Anna likes green tea.'],
        [`#/memory/${memory}`, 'Inner ring: associations.', 'memory.stored'],
        ['#/browse', '1 to 2 of 2 memories'],
        ['#/live', 'Connected'],
        ['#/work', 'The journal ends at', 'No job has been requested', 'None: every event was handled'],
        ['#/webhooks', 'No address gets events yet.'],
        ['#/keys', 'active, never expires'],
        ['#/health', 'The service is healthy'],
      ] as const) {
        await open(hash);
        for (const content of contents) await page.getByText(content).first().waitFor();
        expect(await page.locator('main [role="alert"]').allTextContents(), hash).to.deep.equal([]);
      }
      await open('#/browse');
      const line = JSON.stringify({ id: randomUUID(), content: 'Imported by a key' });
      const file = { name: 'one.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(line) };
      await page.getByLabel('JSONL file').setInputFiles(file);
      await button('Import').click();
      await page.getByText('1 of 1 line').waitFor();
    });

    it('names the scope that a key lacks in each view', async () => {
      const tokens = {
        lacking: await create('lacking', ['memories:delete']),
        reader: await create('reader', ['memories:read']),
      };
      for (const [name, hash, ...missing] of [
        ['lacking', '#/recall?query=tea', 'memories:read'],
        ['lacking', `#/memory/${memory}`, 'memories:read'],
        ['reader', `#/memory/${memory}`, 'graph:read', 'events:read'],
        ['lacking', '#/browse', 'memories:read'],
        ['reader', '#/live', 'events:read'],
        ['lacking', '#/work', 'admin:jobs'],
        ['lacking', '#/webhooks', 'admin:webhooks'],
        ['lacking', '#/keys', 'admin:keys'],
      ] as const) {
        await openAs({ token: tokens[name] });
        await tab.open(hash);
        for (const scope of missing)
          await tab.page.getByText(`The key '${name}' lacks the scope ${scope}`).first().waitFor();
      }
    });

    it('shows a hostile problem as text', async () => {
      await create('agent', ['memories:read']);
      const { page } = tab;
      await openControls('agent');
      await page.route('**/admin/keys/**', (route) =>
        route.fulfill({ status: 403, json: { status: 'error', message: HOSTILE } }),
      );
      await button('Revoke …').click();
      await confirm('Revoke');
      await row('agent').getByText('403: <img src=x').waitFor();
      await page.route('**/admin/keys', (route) =>
        route.fulfill({ status: 409, json: { status: 'error', message: HOSTILE } }),
      );
      await button('New key').click();
      await page.getByLabel('Name').fill('other');
      await button('Make the key').click();
      await page.getByText('409: <img src=x').first().waitFor();
      expect(await page.locator('main img, main script, main b').count()).to.equal(0);
    });

    it('has no axe-core findings in either colour scheme', async () => {
      await create('agent', ['memories:read', 'events:read'], { expires_at: '2999-01-01' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        await tab.open('#/health');
        await openControls('agent');
        await button('New key').click();
        await button('Make the key').waitFor();
        expect(await tab.accessibilityProblems(), `form, ${colorScheme}`).to.deep.equal([]);
        await tab.page.getByLabel('Name').fill(`made-${colorScheme}`);
        await button('Make the key').click();
        await tab.page.getByText('400: ').waitFor();
        expect(await tab.accessibilityProblems(), `problem, ${colorScheme}`).to.deep.equal([]);
        await tab.page.getByLabel('memories:read').check();
        await button('Make the key').click();
        await shownKey().waitFor();
        await row('agent').getByRole('button', { name: 'Rotate …' }).click();
        await tab.page.getByRole('dialog').waitFor();
        expect(await tab.accessibilityProblems(), `dialog, ${colorScheme}`).to.deep.equal([]);
        await confirm('Rotate');
        await row('agent').getByText('The key before still works').waitFor();
        expect(await tab.accessibilityProblems(), `keys, ${colorScheme}`).to.deep.equal([]);
      }
    });

    it('fits a narrow screen', async () => {
      const name = 'a'.repeat(KEY_NAME_LIMIT);
      await create(name, SCOPE_NAMES, { expires_at: '2999-01-01' });
      const { page } = tab;
      await page.setViewportSize({ width: 360, height: 740 });
      await openControls(name);
      await button('New key').click();
      await button('Rotate …').click();
      await confirm('Rotate');
      await shownKey().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    });

    it('needs the keyboard alone', async () => {
      const { page, open } = tab;
      await open('#/keys');
      await button('New key').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type('agent');
      await page.getByLabel('memories:read').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await shownKey().waitFor();
      expect(await page.evaluate('getSelection().toString()')).to.equal(await shownKey().inputValue());
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Copied.').waitFor();
    });
  });
}
