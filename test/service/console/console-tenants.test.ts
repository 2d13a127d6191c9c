/** Tenants in the console: what an operator does with them in a browser. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { TENANT_NAME_LIMIT } from '../../../shared/contract/limits.js';
import { until } from '../../support/checks/until.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };
const SECRET = /^plm_[0-9a-f]{32}[0-9A-Za-z]{38}$/u;
const EMPTY = 'There are no tenants but the default one.';

describe('tenants in the console', () => {
  const { tab, openAs, service, request } = setUpConsole({ tokens: TOKENS });
  afterEach(async () => {
    for (const { id } of await all()) await request('DELETE', `/admin/tenants/${id}`);
  });

  const all = async () => (await request('GET', '/admin/tenants')).body.tenants;
  const make = async (name: string): Promise<string> =>
    (await request('POST', '/admin/tenants', { name })).body.tenant.id as string;
  const keyOf = async (id: string, ...scopes: readonly string[]): Promise<string> =>
    (await request('POST', `/admin/tenants/${id}/keys`, { name: 'agent', scopes })).body.secret as string;
  const recall = async (key: string): Promise<number> =>
    (await service.request('GET', '/recall?query=tea', { headers: { authorization: `Bearer ${key}` } })).status;

  const button = (name: string) => tab.page.getByRole('button', { name, exact: true });
  const confirm = (name: string) => tab.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const row = (name: string): Locator =>
    tab.page
      .getByRole('list', { name: 'Tenants' })
      .getByRole('listitem')
      .filter({ has: tab.page.getByRole('heading', { name, exact: true }) });
  async function openControls(name: string): Promise<void> {
    await tab.open('#/tenants');
    await row(name).getByText('Suspend or delete').click();
  }

  it('makes one, and its first key, which it shows once', async () => {
    const { page, open } = tab;
    await open('#/tenants');
    await page.getByText(EMPTY).waitFor();
    await page.getByLabel('Name').fill('blue');
    await button('Make the tenant').click();
    await row('blue').getByText('active').waitFor();
    await row('blue').getByText('Make a key').click();
    expect(await row('blue').getByLabel('admin:tenants').count()).to.equal(0);
    await row('blue').getByLabel('Name').fill('agent');
    await row('blue').getByLabel('memories:read').check();
    await button('Make the key').click();
    await page.getByText('The key of agent in blue. It is shown this once').waitFor();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(key).to.match(SECRET);
    expect(await recall(key)).to.equal(200);
    await button('Done').click();
    await page.getByLabel('Key', { exact: true }).waitFor({ state: 'detached' });
  });

  it('says why one cannot be made', async () => {
    await make('blue');
    const { page, open } = tab;
    await open('#/tenants');
    for (const [name, problem] of [
      ['blue', "409: A tenant with the name 'blue' exists"],
      ['default', "409: 'default' is the tenant of the service itself"],
      ['Two words', /^400: .*name/u],
    ] as const) {
      await page.getByLabel('Name').first().fill(name);
      await button('Make the tenant').click();
      await page.getByRole('alert').getByText(problem).waitFor();
    }
    expect(await all()).to.have.length(1);
  });

  it('shows memories, bytes and limits', async () => {
    const id = await make('blue');
    const headers = { authorization: `Bearer ${await keyOf(id, 'memories:write')}` };
    await service.request('POST', '/memory', { headers, body: { content: 'Tea' } });
    await request('PATCH', `/admin/tenants/${id}`, { limits: { memories: 9 } });
    await tab.open('#/tenants');
    await row('blue')
      .getByText(/^1 memory, [\d,]+ bytes, counted .*, made .*, at most 9 memories$/u)
      .waitFor();
  });

  it('sets limits, and removes those that are empty', async () => {
    const id = await make('blue');
    const limit = (name: string) => row('blue').getByRole('spinbutton', { name });
    await request('PATCH', `/admin/tenants/${id}`, { limits: { memories: 9 } });
    await tab.open('#/tenants');
    await row('blue').getByText('Limits of').click();
    expect(await limit('Memories').inputValue()).to.equal('9');
    await limit('Memories').fill('');
    await limit('Writes per minute').fill('60');
    await button('Set the limits').click();
    await row('blue')
      .getByText(/, at most 60 writes per minute$/u)
      .waitFor();
    const [{ limits }] = await all();
    expect(limits).to.deep.equal({ requests_per_minute: null, writes_per_minute: 60, memories: null, bytes: null });
    await limit('Bytes').fill('99999999999999999999');
    await button('Set the limits').click();
    await row('blue')
      .getByRole('alert')
      .getByText(/^400: .*limits\.bytes/u)
      .waitFor();
  });

  it('suspends with a reason, and resumes', async () => {
    const key = await keyOf(await make('blue'), 'memories:read');
    await openControls('blue');
    await row('blue').getByLabel('Reason').fill('The trial ended');
    await button('Suspend …').click();
    await tab.page.getByRole('dialog').getByText('Suspend blue?').waitFor();
    await confirm('Suspend');
    await row('blue').getByText('suspended: The trial ended').waitFor();
    expect(await recall(key)).to.equal(403);
    await button('Resume').click();
    await row('blue').getByText('active').waitFor();
    expect(await recall(key)).to.equal(200);
  });

  it('deletes after a confirmation, and says what can remain', async () => {
    const key = await keyOf(await make('blue'), 'memories:read');
    await make('amber');
    await openControls('blue');
    await row('blue').getByRole('button', { name: 'Delete …' }).click();
    await tab.page.getByRole('dialog').getByText('Delete blue?').waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await all()).to.have.length(2);
    await row('blue').getByRole('button', { name: 'Delete …' }).click();
    await confirm('Delete');
    await row('blue').waitFor({ state: 'detached' });
    await tab.page.getByText('The tenant is deleted. What can remain:').waitFor();
    expect((await all()).map(({ name }: { name: string }) => name)).to.deep.equal(['amber']);
    await until('the key is refused', async () => (await recall(key)) === 401);
  });

  it('says why the key of a tenant sees no tenants', async () => {
    await openAs({ token: await keyOf(await make('blue'), 'memories:read') });
    await tab.open('#/tenants');
    await tab.page.getByRole('alert').getByText("403: The key 'agent' lacks the scope admin:tenants").waitFor();
    await tab.page.getByText(EMPTY).waitFor({ state: 'detached' });
  });

  it('has no axe-core findings in either colour scheme', async () => {
    await make('blue');
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.page.emulateMedia({ colorScheme });
      await tab.open('#/health');
      await openControls('blue');
      await row('blue').getByText('Make a key').click();
      await row('blue').getByText('Limits of').click();
      await button('Make the key').waitFor();
      expect(await tab.accessibilityProblems(), colorScheme).to.deep.equal([]);
    }
  });

  it('fits a narrow screen', async () => {
    const name = 'a'.repeat(TENANT_NAME_LIMIT);
    await make(name);
    await tab.page.setViewportSize({ width: 360, height: 740 });
    await openControls(name);
    await row(name).getByText('Make a key').click();
    await row(name).getByText('Limits of').click();
    await button('Make the key').waitFor();
    expect(await tab.page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
  });
});
