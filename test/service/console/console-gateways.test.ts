/** The console behind each gateway: every view opens, and one action works in each. */
import { expect } from 'chai';
import { BEHIND, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { setUpConsole } from '../../support/processes/console.js';

const TOKENS = { token: 'secret', adminToken: 'admin secret' };

for (const front of BEHIND) {
  describe(`the console ${front.name}${GATEWAYS_NOTE}`, () => {
    let tea = '';
    const { tab, service, store } = setUpConsole({
      tokens: TOKENS,
      fronts: [front],
      fill: async () => {
        tea = await store({ content: 'Anna likes green tea.', tags: ['drinks'], type: 'Preference' });
        await service.settled();
      },
    });
    const button = (label: string) => tab.page.getByRole('button', { name: label, exact: true });
    const shows = (text: string | RegExp): Promise<void> =>
      tab.page.getByText(text).filter({ visible: true }).first().waitFor();

    /** By the view of the navigation; a view without an action only opens. */
    const actions: Readonly<Record<string, () => Promise<unknown>>> = {
      overview: async () => {
        await tab.page.getByRole('region', { name: 'Most used tags' }).getByRole('link', { name: 'drinks' }).click();
        await shows('1 to 1 of 1 memory');
      },
      recall: async () => {
        await tab.page.getByLabel('Query').fill('Which tea does Anna like?');
        await tab.page.getByLabel('Query').press('Enter');
        await shows('Anna likes green tea.');
        await shows('Why not this one?');
      },
      memory: async () => {
        await tab.open(`#/memory/${tea}`);
        await button('Edit').click();
        await tab.page.getByRole('textbox', { name: 'Content' }).fill('Anna likes black tea.');
        await button('Save …').click();
        await tab.page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
        await tab.page.getByRole('article').getByText('Anna likes black tea.').waitFor();
      },
      browse: async () => {
        await tab.page.getByLabel('Type', { exact: true }).selectOption('Preference');
        await button('Show').click();
        await shows('1 to 1 of 1 memory');
      },
      graph: async () => {
        await tab.page.getByRole('searchbox', { name: 'Find' }).or(tab.page.getByLabel('Find')).first().fill('tea');
        await button('Find').click();
        await shows('Anna likes black tea.');
      },
      live: async () => {
        await shows('Connected');
        await store({ content: 'The ship to Oslo leaves at nine.', tags: ['travel'] });
        await shows('memory.stored');
      },
      work: async () => {
        await tab.page.getByRole('button', { name: 'Pause vector-indexer' }).click();
        await tab.page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
        await tab.page.getByRole('button', { name: 'Resume vector-indexer' }).click();
        await tab.page.getByRole('button', { name: 'Pause vector-indexer' }).waitFor();
      },
      webhooks: async () => {
        await button('New webhook').click();
        await tab.page.getByLabel('Address').fill('ftp://receiver.example');
        await button('Create').click();
        await shows("'url' must begin with https:");
      },
      keys: async () => {
        await button('New key').click();
        await tab.page.getByLabel('Name').fill('help-desk');
        await tab.page.getByLabel('memories:read').check();
        await button('Make the key').click();
        await tab.page.getByLabel('Key', { exact: true }).waitFor();
      },
      health: () => shows('The service is healthy'),
    };

    it('opens every view, and one action works in each', async function () {
      this.timeout(240_000);
      await tab.open('');
      const views = (await tab.views()).map((hash) => hash.replace(/^#\//u, ''));
      expect(views).to.include.members(Object.keys(actions));
      for (const view of views) {
        await tab.open(`#/${view}`);
        await tab.hasRead();
        await actions[view]?.();
        await tab.page.getByRole('navigation', { name: 'Views' }).waitFor();
      }
    });
  });
}
