/** How often whole tags are used, over every engine. */
import { expect } from 'chai';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { deleted, memory, memoryId, stored, updated } from '../../support/fixtures/memories.js';

const at = (day: number, fraction = ''): string => `2026-06-0${day}T08:00:00${fraction}+00:00`;

for (const adapter of GRAPH_ADAPTERS) {
  describe(`uses of tags: ${adapter.name}`, () => {
    let graph: OpenGraph;
    before(async () => {
      graph = await adapter.open();
      await graph.writer.apply([
        stored(
          memory(1, { tags: ['entity:people:ann', 'Entity:Tools:Vim'], timestamp: at(1, '.250000'), importance: 0.2 }),
        ),
        stored(memory(2, { tags: ['entity:people:ann', 'entity:people:ann-lee'], timestamp: at(3), importance: 0.9 })),
        stored(
          memory(3, { tags: ['ENTITY:people:ann', 'entity:peopled'], timestamp: at(2, '.000001'), importance: 0.9 }),
        ),
        stored(memory(4, { tags: ['entity:people:ann'], timestamp: at(9) })),
        stored(memory(5, { tags: ['entity:tools:vim', 'x:entity:people:no'], timestamp: at(4) })),
        stored(memory(6, { tags: ['entity:people:日本-\u{1F600}'], timestamp: at(5) })),
      ]);
      await graph.writer.apply([
        deleted(4, 2),
        updated(memory(5, { tags: ['entity:tools:emacs'], timestamp: at(4) }), 2),
      ]);
    });
    after(() => graph.close());

    it('counts the memories of each tag, with the first and last time', async () => {
      const prefixes = ['entity:people:', 'entity:tools:'];
      const counts = await graph.inspector.tagCounts({ prefixes, limit: 10 });
      const uses = await graph.inspector.tagUsesOf(counts.map(({ tag }) => tag));
      expect(await graph.inspector.tagUses({ prefixes, limit: 10 })).to.deep.equal(uses);
      expect(await graph.inspector.tagUses({ prefixes, limit: 2 })).to.deep.equal(uses.slice(0, 2));
      expect(await graph.inspector.tagUses({ prefixes: [], limit: 2 })).to.deep.equal([]);
      expect(counts).to.deep.equal(uses.map(({ tag, uses: count }) => ({ tag, uses: count })));
      expect(uses).to.deep.equal([
        { tag: 'entity:people:ann', uses: 3, firstAt: at(1, '.250000'), lastAt: at(3) },
        { tag: 'entity:people:ann-lee', uses: 1, firstAt: at(3), lastAt: at(3) },
        { tag: 'entity:people:日本-\u{1F600}', uses: 1, firstAt: at(5), lastAt: at(5) },
        { tag: 'entity:tools:emacs', uses: 1, firstAt: at(4), lastAt: at(4) },
        { tag: 'entity:tools:vim', uses: 1, firstAt: at(1, '.250000'), lastAt: at(1, '.250000') },
      ]);
      const cut = await graph.inspector.tagCounts({ prefixes: ['entity:'], limit: 2 });
      expect(cut.map(({ tag }) => tag)).to.deep.equal(['entity:people:ann', 'entity:people:ann-lee']);
      expect(await graph.inspector.tagCounts({ prefixes: ['nothing'], limit: 5 })).to.deep.equal([]);
    });

    it('counts the tags of the newest memories', async () => {
      const names = async (memories: number) =>
        (await graph.inspector.newestTagCounts(memories)).map(({ tag, uses }) => `${tag} ${uses}`);
      const newest = 'entity:people:日本-\u{1F600} 1';
      expect(await names(0)).to.deep.equal([]);
      expect(await names(1)).to.deep.equal([newest]);
      expect(await names(3)).to.deep.equal([
        ...['entity:people:ann 1', 'entity:people:ann-lee 1', newest, 'entity:tools:emacs 1'],
      ]);
      expect((await names(100)).slice(0, 2)).to.deep.equal(['entity:people:ann 3', 'entity:people:ann-lee 1']);
    });

    it('counts named tags in any spelling, without unused ones', async () => {
      const uses = await graph.inspector.tagUsesOf(['Entity:People:Ann', 'entity:tools:vim', 'entity:people:nobody']);
      expect(uses.map(({ tag, uses: count }) => [tag, count])).to.deep.equal([
        ['entity:people:ann', 3],
        ['entity:tools:vim', 1],
      ]);
      expect(await graph.inspector.tagUsesOf([])).to.deep.equal([]);
    });

    it('lists the memories of each tag, the most important first', async () => {
      const tags = ['entity:people:ann', 'entity:people:nobody'];
      expect(await graph.inspector.memoriesTagged({ tags, limit: 2 })).to.deep.equal(
        new Map([
          ['entity:people:ann', [memoryId(2), memoryId(3)]],
          ['entity:people:nobody', []],
        ]),
      );
    });
  });
}
