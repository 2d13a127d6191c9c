/** Webhooks in the console: what an operator does with them in a browser, with a receiver that answers or fails. */
import { expect } from 'chai';
import { FRONTS } from '../../support/adapters/gateways.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/clients/webhook-receiver.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const HOSTILE = '<img src=x onerror="alert(document.domain)"><script>alert(1)</script>';
/** More than a page. */
const MANY = 60;

for (const front of FRONTS) {
  describe(`webhooks in the console ${front.name}`, () => {
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await startWebhookReceiver();
    });
    const { tab, request } = setUpConsole({
      tokens: TOKENS,
      fronts: [front],
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
      service: {
        variables: { PROJECTORS: 'vector-indexer,webhook-sender', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
      },
    });
    beforeEach(() => receiver.answer(() => 204));
    afterEach(async () => {
      for (const { id } of await all()) await request('DELETE', `/admin/webhooks/${id}`);
    });
    after(() => receiver.close());

    async function create(body: object = {}): Promise<string> {
      const { status, body: created } = await request('POST', '/admin/webhooks', { url: receiver.url, ...body });
      expect(status).to.equal(201);
      return created.webhook.id as string;
    }
    async function all(): Promise<readonly { readonly id: string; readonly [field: string]: unknown }[]> {
      return (await request('GET', '/admin/webhooks')).body.webhooks;
    }
    async function store(body: object): Promise<void> {
      expect((await request('POST', '/memory', body)).status).to.equal(201);
    }
    const button = (name: string | RegExp) => tab.page.getByRole('button', { name });
    const confirm = (name: string) => tab.page.getByRole('dialog').getByRole('button', { name }).click();

    it('creates one, and shows its secret once', async () => {
      const { page, open } = tab;
      await open('#/webhooks');
      await page.getByText('No address gets events yet.').waitFor();
      await button('New webhook').click();
      await page.getByLabel('Address').fill('ftp://receiver.example');
      await page.getByLabel('Description').fill('For the audit');
      await page.getByLabel('memory.stored').check();
      await page.getByLabel('Tags').fill('team:shop, drinks');
      await button('Create').click();
      await page.getByText("'url' must begin with https:").waitFor();
      await page.getByLabel('Address').fill(receiver.url);
      await button('Create').click();
      const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
      expect(secret).to.match(/^whsec_/u);
      await button('Copy').click();
      await page.getByText('Copied.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(secret);
      await button('Done').click();
      await page.getByLabel('Secret', { exact: true }).waitFor({ state: 'detached' });
      await page.getByText('memory.stored; of memories with team:shop or drinks').waitFor();
      const [webhook] = await all();
      expect(webhook).to.include({ url: receiver.url, description: 'For the audit', enabled: true });
      expect(webhook).to.deep.include({ types: ['memory.stored'], tags: ['team:shop', 'drinks'] });
    });

    it('shows why a receiver fails, and what it got', async () => {
      const id = await create({ tags: ['drinks'] });
      const { page, open } = tab;
      await store({ content: 'Anna likes green tea.', tags: ['drinks'] });
      await open(`#/webhooks/${id}`);
      const row = page.getByRole('row').filter({ hasText: 'memory.stored' });
      await row.filter({ hasText: 'delivered' }).filter({ hasText: '204' }).waitFor();
      await page.getByText(/^enabled, at position \d+, up to date$/u).waitFor();
      receiver.answer(() => 503);
      await store({ content: 'Bert likes coffee.', tags: ['drinks'] });
      await row.filter({ hasText: 'failing' }).filter({ hasText: '503' }).waitFor();
      await page.getByLabel('State').selectOption('failing');
      await row.filter({ hasText: 'delivered' }).waitFor({ state: 'detached' });
      await open('#/webhooks');
      await page.getByText(/^Failing, first .*503/u).waitFor();
      await page.getByText(/^failing, at position \d+, 1 event behind$/u).waitFor();
    });

    it('leads from the live view to a webhook that was disabled', async () => {
      await create();
      const { page, open } = tab;
      await open('#/live');
      await page.getByText('Connected').waitFor();
      receiver.answer(() => 410);
      await store({ content: 'The ferry leaves at nine.' });
      await page.getByRole('listitem').filter({ hasText: 'webhook.disabled' }).getByRole('link').click();
      await page.getByText('Disabled: The receiver answered 410').waitFor();
      await button('Enable').waitFor();
    });

    it('lists deliveries page by page', async () => {
      const id = await create();
      const memories = Array.from({ length: MANY }, (_, number) => ({ content: `Filler ${number}` }));
      expect((await request('POST', '/memory/batch', { memories })).status).to.equal(201);
      const { page, open } = tab;
      await open(`#/webhooks/${id}`);
      await page.getByText(/^enabled, at position \d+, up to date$/u).waitFor();
      await button('Older deliveries').click();
      await button('The newest').waitFor();
      // Not until the page is read: before its answer there are no rows and no button.
      await page
        .locator('tbody tr')
        .nth(MANY - 50 - 1)
        .waitFor();
      expect(await page.locator('tbody tr').count()).to.equal(MANY - 50);
      expect(await button('Older deliveries').count()).to.equal(0);
      await button('The newest').click();
      await button('Older deliveries').waitFor();
    });

    it('disables, enables and edits', async () => {
      const id = await create();
      const { page, open } = tab;
      await open(`#/webhooks/${id}`);
      await button('Disable').click();
      await confirm('Disable');
      await page.getByText('disabled by an administrator').waitFor();
      await button('Enable').click();
      await button('Disable').waitFor();
      await button('Edit').click();
      await page.getByLabel('Tags').fill('travel');
      await button('Save').click();
      await page.getByText('All events; of memories with travel').waitFor();
      expect((await all())[0]).to.deep.include({ url: receiver.url, enabled: true, tags: ['travel'] });
    });

    it('rotates the secret after a confirmation', async () => {
      const id = await create();
      const { page, open } = tab;
      await open(`#/webhooks/${id}`);
      await page.getByLabel('Hours with both secrets').fill('12');
      await button('Rotate the secret …').click();
      await page.getByRole('dialog').getByText('both secrets for 12 hours').waitFor();
      await confirm('Rotate');
      expect(await page.getByLabel('Secret', { exact: true }).inputValue()).to.match(/^whsec_/u);
      await page.getByText('the previous secret ends').waitFor();
    });

    it('sends events again from a position', async () => {
      await store({ content: 'The ship to Oslo leaves at nine.', tags: ['travel'] });
      const id = await create({ tags: ['travel'] });
      const { page, open } = tab;
      await open(`#/webhooks/${id}`);
      await page.getByText('No delivery in the last seven days.').waitFor();
      await page.getByLabel('Continue after position').fill('0');
      await button('Replay …').click();
      await confirm('Replay');
      const row = page.getByRole('row').filter({ hasText: 'memory.stored' });
      await row.filter({ hasText: 'delivered' }).first().waitFor();
      await page.getByLabel('Continue after position').fill('1000000');
      await button('Replay …').click();
      await confirm('Skip');
      await page.getByRole('alert').getByText("'after'").waitFor();
    });

    it('deletes after a confirmation', async () => {
      const id = await create();
      const { page, open } = tab;
      await open(`#/webhooks/${id}`);
      await button('Delete').click();
      await page.getByRole('dialog').getByText('Delete this webhook?').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await all()).to.have.length(1);
      await button('Delete').click();
      await confirm('Delete');
      await page.getByText('No address gets events yet.').waitFor();
      expect(await all()).to.deep.equal([]);
    });

    it('shows hostile text as text', async () => {
      const id = await create({ description: HOSTILE, tags: ['<b>bold</b>'] });
      for (const hash of ['#/webhooks', `#/webhooks/${id}`]) {
        await tab.open(hash);
        await tab.page.getByText('<img src=x').first().waitFor();
        await tab.page.getByText('<b>bold</b>').first().waitFor();
        expect(await tab.page.locator('main img, main script, main b').count(), hash).to.equal(0);
      }
    });

    it('has no axe-core findings in either colour scheme', async () => {
      const id = await create({ description: 'For the audit' });
      await store({ content: 'Anna likes green tea.' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        await tab.open('#/webhooks');
        await tab.page.getByText('For the audit').waitFor();
        await button('New webhook').click();
        expect(await tab.accessibilityProblems(), `list, ${colorScheme}`).to.deep.equal([]);
        await tab.open(`#/webhooks/${id}`);
        await tab.page.getByRole('row').filter({ hasText: 'delivered' }).waitFor();
        await button('Edit').click();
        await button('Rotate the secret …').click();
        await confirm('Rotate');
        await tab.page.getByLabel('Secret', { exact: true }).waitFor();
        expect(await tab.accessibilityProblems(), `one, ${colorScheme}`).to.deep.equal([]);
      }
    });

    it('needs the keyboard alone', async () => {
      const { page, open } = tab;
      await open('#/webhooks');
      await button('New webhook').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type(receiver.url);
      await page.keyboard.press('Enter');
      await page.getByLabel('Secret', { exact: true }).waitFor();
      const selected = await page.evaluate<string>('getSelection().toString()');
      expect(selected).to.equal(await page.getByLabel('Secret', { exact: true }).inputValue());
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Copied.').waitFor();
    });
  });
}
