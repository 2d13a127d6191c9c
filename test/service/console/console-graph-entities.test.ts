/** The graph view with entities as nodes, and with more memories than its first picture. */
import { expect } from 'chai';
import { setUpConsole } from '../../support/processes/console.js';

const TOKEN = 'secret';
/** More than the first picture has. */
const MANY = 310;
const FIRST = 300;

describe('A larger graph view', () => {
  const { tab, request, service } = setUpConsole({
    tokens: { token: TOKEN },
    context: { reducedMotion: 'reduce' },
    fill: async () => {
      const memories = Array.from({ length: MANY }, (_, number) => ({
        content: `note ${number}`,
        importance: number < FIRST ? 0.9 : 0.1,
        tags: number < 3 ? ['entity:people:carla-gomez', ...(number === 0 ? ['entity:tools:git'] : [])] : [],
      }));
      const { body } = await request('POST', '/memory/batch', { memories });
      const associations = [
        { memory1_id: body.memory_ids[0], memory2_id: body.memory_ids[1], type: 'LEADS_TO' },
        { memory1_id: body.memory_ids[0], memory2_id: body.memory_ids[MANY - 1], type: 'LEADS_TO' },
      ];
      await request('POST', '/associate', { associations });
      await service.settled();
    },
  });

  const pictureOf = (text: RegExp) => tab.page.getByRole('heading', { name: text }).waitFor();

  it('draws entities, which the legend switches off', async () => {
    const { page, open } = tab;
    await open('#/graph');
    await pictureOf(/^300 memories, \d+ associations? of 310 memories in the graph, and 2 entities$/u);
    const choice = page.getByLabel('Entities that memories name');
    expect(await choice.isChecked()).to.equal(true);
    await page.getByText('The picture as a list').click();
    await page.getByRole('button', { name: 'Next 50 rows of memories' }).waitFor();
    for (let turn = 0; turn < 6; turn += 1)
      await page.getByRole('button', { name: 'Next 50 rows of memories' }).click();
    await page.getByRole('button', { name: 'carla gomez (people)' }).click();
    const panel = page.getByRole('complementary', { name: 'Selected memory' });
    await panel.getByRole('button', { name: 'note 2' }).waitFor();
    expect(await panel.getByRole('listitem').count()).to.equal(3);
    const link = panel.getByRole('link', { name: 'All memories that name it' });
    expect(await link.getAttribute('href')).to.equal('#/browse?tag=entity%3Apeople%3Acarla-gomez');
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await choice.uncheck();
    await pictureOf(/^300 memories, \d+ associations? of 310 memories in the graph$/u);
    expect(page.url()).to.contain('entities=no');
    await page.reload();
    await pictureOf(/^300 memories, \d+ associations? of 310 memories in the graph$/u);
  });

  it('reads only what it lacks', async () => {
    const { page, open } = tab;
    await open('#/graph');
    await pictureOf(/^300 memories/u);
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.url().includes('/graph/snapshot')),
      page.getByRole('button', { name: /^Load more/u }).click(),
    ]);
    await pictureOf(/^310 memories, \d+ associations of 310 memories in the graph/u);
    const { nodes, edges } = (await response.json()) as {
      readonly nodes: readonly { readonly content: string }[];
      readonly edges: readonly { readonly type: string }[];
    };
    expect(nodes).to.have.length(MANY - FIRST);
    expect(edges.filter(({ type }) => type === 'LEADS_TO')).to.have.length(1);
  });
});
