/** The first view of the console in a browser: numbers, charts, links, the latest changes and the commands to copy. */
import { expect } from 'chai';
import type { Scope } from '../../../shared/contract/scopes.js';
import { FRONTS } from '../../support/adapters/gateways.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const HOSTILE = '<img src=x onerror="alert(1)"><b>bold</b>';
const CONTEXT = { permissions: ['clipboard-read', 'clipboard-write'] };

for (const front of FRONTS) {
  describe(`the overview of the console ${front.name}`, () => {
    const {
      tab,
      openAs,
      url,
      service,
      request: send,
    } = setUpConsole({ tokens: TOKENS, fronts: [front], context: CONTEXT, service: { enriches: true } });
    async function request(method: string, path: string, body?: object) {
      const reply = await send(method, path, body);
      expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf([200, 201]);
      return reply.body;
    }
    const store = async (body: object): Promise<string> => (await request('POST', '/memory', body)).memory_id;

    const heading = (name: string) => tab.page.getByRole('heading', { name, exact: true });
    const tile = (name: string) =>
      tab.page
        .getByRole('region', { name: 'Numbers' })
        .locator('.tile')
        .filter({ has: heading(name) })
        .locator('.big');
    const changes = () => tab.page.getByRole('region', { name: 'Latest changes' }).getByRole('listitem');

    // The first test needs the empty service.
    it('says what to do first, and shows the first memory by itself', async () => {
      await tab.open('');
      await heading('Overview').waitFor();
      await tab.page.getByText('There are no memories yet.').waitFor();
      expect(await tile('Memories').textContent()).to.equal('0');
      await store({ content: 'Anna likes green tea.', tags: ['anna', 'drinks'] });
      await changes().filter({ hasText: 'stored' }).getByRole('link', { name: 'Anna likes green tea.' }).waitFor();
      await tab.page.getByText('There are no memories yet.').waitFor({ state: 'detached' });
      await tile('Memories').filter({ hasText: /^1$/u }).waitFor();
      await heading('Growth in 30 days').waitFor();
    });

    it('shows numbers, lags and rankings that lead to Browse', async () => {
      await store({ content: 'Ben drinks coffee.', tags: ['drinks'], type: 'Preference' });
      await service.settled();
      await request('GET', '/recall?query=tea');
      await request('GET', '/recall?tags=nothing-has-this-tag');
      await tab.open('#/overview');
      await tile('Memories').filter({ hasText: /^2$/u }).waitFor();
      const [recalls, misses] = [
        Number(await tile('Recalls').textContent()),
        await tile('Found nothing').textContent(),
      ];
      expect([recalls >= 2, misses]).to.deep.equal([true, '1']);
      await tab.page.getByText(`${recalls} recalls, half of them within`).waitFor();
      await tab.page.getByText('1 answer found nothing').waitFor();
      await tab.page.getByText(/^\s*enricher has handled every event\.$/u).waitFor();
      await tab.page.getByRole('img', { name: /^Memories of each of the last 30 days.*: 2 in all/u }).waitFor();
      const chart = tab.page.locator('figure', { has: tab.page.getByRole('img', { name: /^Memories of each of/u }) });
      await chart.locator('g').last().hover();
      await chart
        .getByText(/^\d{4}-\d\d-\d\d: 2$/u)
        .filter({ visible: true })
        .first()
        .waitFor();
      await tab.page.getByText('As a table').click();
      const rows = tab.page.getByRole('table').getByRole('row');
      await rows.nth(30).waitFor();
      expect(await rows.count()).to.equal(31);
      await tab.page.getByText('The service is healthy').waitFor();
      await tab.page.getByRole('region', { name: 'Most used tags' }).getByRole('link', { name: 'drinks' }).click();
      await tab.page.getByText('1 to 2 of 2 memories').waitFor();
      await tab.open('#/overview');
      await tab.page.getByRole('region', { name: 'Most used types' }).getByRole('link', { name: 'Preference' }).click();
      await tab.page.getByText('1 to 1 of 1 memory').waitFor();
    });

    it('words the latest changes, with hostile text as text', async () => {
      const [one, two] = [await store({ content: HOSTILE, tags: [HOSTILE] }), await store({ content: 'The ship.' })];
      await request('PATCH', `/memory/${two}`, { content: 'The ship to Oslo.', importance: 0.9 });
      await request('POST', '/associate', { memory1_id: one, memory2_id: two, type: 'LEADS_TO', strength: 0.9 });
      await tab.open('#/overview');
      // Further fields when enrichment was first: its findings were about the old content.
      await changes()
        .filter({ hasText: /changed\s+content,.*importance.* of The ship to Oslo\./u })
        .waitFor();
      const associated = changes().filter({ hasText: 'associated <img src=x' });
      await associated.getByText('LEADS_TO').waitFor();
      await associated.getByRole('link', { name: 'The ship to Oslo.' }).waitFor();
      await request('DELETE', `/memory/${two}`);
      await changes().filter({ hasText: 'deleted' }).waitFor();
      await tab.page.getByRole('region', { name: 'Most used tags' }).getByText('<img src=x').waitFor();
      expect(await tab.page.locator('main img, main b').count()).to.equal(0);
    });

    it('finds the latest changes behind events of enrichment', async () => {
      await request('POST', '/admin/projectors/enricher/pause', {});
      const memories = Array.from({ length: 60 }, (_, number) => ({ content: `Note ${number} of an import.` }));
      await request('POST', '/memory/batch', { memories });
      await store({ content: 'The last change by a caller.' });
      await request('POST', '/admin/projectors/enricher/resume', {});
      await service.settled();
      await tab.open('#/overview');
      await changes()
        .filter({ hasText: 'stored' })
        .getByRole('link', { name: 'The last change by a caller.' })
        .waitFor();
      expect(await changes().count()).to.equal(8);
    });

    it('has commands to copy, without the token', async () => {
      await tab.open('#/overview');
      const { page } = tab;
      for (const [name, ...parts] of [
        ['curl', `curl -s ${url()}/memory -H "Authorization: Bearer $SERVICE_API_TOKEN"`],
        ['Python', `Client("${url()}", os.environ["SERVICE_API_TOKEN"])`],
        ['Claude Code (MCP)', `AUTOMEM_API_URL=${url()} `, 'AUTOMEM_API_KEY="$SERVICE_API_TOKEN"'],
        ['Claude Code (MCP over HTTP)', `${url()}/mcp --header`],
      ] as const) {
        const snippet = page.getByRole('region', { name, exact: true });
        await snippet.getByRole('button', { name: `Copy ${name}` }).click();
        await snippet.getByText('Copied.').waitFor();
        const copied = await page.evaluate<string>('navigator.clipboard.readText()');
        expect(copied).to.equal(await snippet.locator('pre').textContent());
        for (const part of parts) expect(copied).to.include(part);
      }
      expect(await page.getByRole('main').textContent()).to.not.include(TOKENS.token);
    });

    it('names what a key may not see, once', async () => {
      const as = async (name: string, scopes: readonly Scope[]): Promise<void> => {
        const { secret } = await request('POST', '/admin/keys', { name, scopes });
        await openAs({ token: secret });
        await tab.open('#/overview');
      };
      await as('reader', ['memories:read']);
      await tab.page.getByRole('alert').getByText("403: The key 'reader' lacks the scope graph:read").waitFor();
      for (const scope of ['admin:jobs', 'events:read'])
        await tab.page.getByText(`403: The key 'reader' lacks the scope ${scope}`).waitFor();
      await as('counter', ['graph:read']);
      await tile('Memories').waitFor();
      expect(await tab.page.locator('main [role="alert"]').count()).to.equal(0);
      await openAs({});
      await tab.open('');
      await tab.page.getByRole('alert').getByText('401: Unauthorized').waitFor();
      await heading('Connect your agent').waitFor();
      expect(await tab.page.getByText('401: Unauthorized').count()).to.equal(1);
    });

    it('has no axe-core findings, and fits a narrow screen', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        await tab.open('#/overview');
        await heading('The last hour').waitFor();
        await heading('Latest changes').waitFor();
        await tab.page.getByText('As a table').click();
        expect(await tab.accessibilityProblems(), colorScheme).to.deep.equal([]);
      }
      await store({ content: 'x'.repeat(500), tags: ['y'.repeat(200)] });
      await tab.page.setViewportSize({ width: 360, height: 740 });
      await tab.open('#/overview');
      await changes().filter({ hasText: 'xxx' }).waitFor();
      expect(await tab.page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    });
  });
}
