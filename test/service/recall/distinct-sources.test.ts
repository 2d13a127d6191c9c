/** Pieces of one source share one place in a recall: which piece takes it, and where the rule applies. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';
import { expectProblem, store } from '../memories/memory-fixtures.js';

const DOCUMENTS = 12;
const PIECES = 4;
/** Each piece has words of its own, so that no piece is a near duplicate of another. */
const TOPICS = ['lamp and lens', 'stairs and rails', 'boats and ropes', 'storms and fog'];
const LIGHTHOUSE = 'tags=lighthouses&query=lighthouse+repairs&adaptive_floor=no';

type Result = {
  readonly id: string;
  readonly memory: { readonly metadata: object };
  readonly source_pieces?: string[];
};

describe('recall by source', () => {
  let service: Service;
  const sourceOf = new Map<string, number>();
  before(async () => {
    service = await startService();
    for (let document = 1; document <= DOCUMENTS; document += 1) {
      for (const [piece, topic] of TOPICS.entries()) {
        const id = await store(service, {
          content: `Lighthouse ${document} repairs: ${topic}`,
          tags: ['lighthouses'],
          metadata: { source_id: `report-${document}`, piece },
          // The pieces of the first documents are the best.
          importance: 1 - document / 20,
        });
        sourceOf.set(id, document);
      }
    }
    await service.settled();
  });
  after(() => service.close());

  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as { readonly results: readonly Result[]; readonly explain: object };
  }
  const sourcesOf = (results: readonly Result[]) => new Set(results.map(({ id }) => sourceOf.get(id)));

  it('has ten results from ten sources when there are enough', async () => {
    const { results } = await recall(`${LIGHTHOUSE}&limit=10`);
    expect(results).to.have.length(10);
    expect(sourcesOf(results).size).to.equal(10);
  });

  it('shows the other pieces of the source of each result', async () => {
    for (const { id, source_pieces: pieces = [] } of (await recall(`${LIGHTHOUSE}&limit=10`)).results) {
      expect(pieces).to.have.length(PIECES - 1);
      expect(new Set([id, ...pieces]).size).to.equal(PIECES);
      for (const piece of pieces) expect(sourceOf.get(piece)).to.equal(sourceOf.get(id));
    }
  });

  it('keeps the best piece of each source, in the order without the rule', async () => {
    const { results: every } = await recall(`${LIGHTHOUSE}&limit=48&distinct_by=none`);
    expect(every).to.have.length(DOCUMENTS * PIECES);
    const best = every.filter(({ id }, index) => {
      const earlier = every.slice(0, index).map((result) => sourceOf.get(result.id));
      return !earlier.includes(sourceOf.get(id));
    });
    const { results } = await recall(`${LIGHTHOUSE}&limit=48`);
    expect(results.map(({ id }) => id)).to.deep.equal(best.map(({ id }) => id));
    for (const { source_pieces: pieces } of every) expect(pieces).to.equal(undefined);
  });

  it('has the same first results for every limit', async () => {
    const idsFor = async (limit: number) => (await recall(`${LIGHTHOUSE}&limit=${limit}`)).results.map(({ id }) => id);
    expect((await idsFor(10)).slice(0, 3)).to.deep.equal(await idsFor(3));
  });

  it('has pieces of several sources when distinct_by=none', async () => {
    const { results } = await recall(`${LIGHTHOUSE}&limit=10&distinct_by=none`);
    expect(results).to.have.length(10);
    expect(sourcesOf(results).size).to.be.below(10);
  });

  it('groups by another field', async () => {
    const { results } = await recall(`${LIGHTHOUSE}&limit=10&distinct_by=piece`);
    expect(results).to.have.length(PIECES);
    for (const { source_pieces: pieces } of results) expect(pieces).to.have.length(DOCUMENTS - 1);
  });

  it('names at most 20 pieces', async () => {
    const ids = await storeAll(25, (number) => ({
      content: `Windmill ${number} grinds corn`,
      tags: ['windmills'],
      metadata: { source_id: 'mills' },
    }));
    const { results } = await recall('tags=windmills&query=windmill&limit=10');
    expect(results).to.have.length(1);
    expect(results[0]?.source_pieces).to.have.length(20);
    expect(ids).to.include.members(results[0]?.source_pieces ?? []);
  });

  it('never merges memories without the field', async () => {
    const ids = await storeAll(4, (number) => ({
      content: `Canal ${number} has a lock`,
      tags: ['canals'],
      metadata: number === 1 ? { source_id: '' } : {},
    }));
    const { results } = await recall('tags=canals&query=canal+lock&adaptive_floor=no&limit=10');
    expect(results.map(({ id }) => id)).to.have.members(ids);
  });

  it('gives each of several queries its own sources', async () => {
    const query = 'tags=lighthouses&queries=lamp+lens+repairs,storms+fog+repairs&limit=6&adaptive_floor=no';
    const { results } = await recall(query);
    expect(results).to.have.length(6);
    expect(sourcesOf(results).size).to.equal(6);
  });

  it('explains a piece by the result that represents its source', async () => {
    const [first] = (await recall(`${LIGHTHOUSE}&limit=1`)).results;
    const piece = first?.source_pieces?.[0] ?? '';
    const { explain } = await recall(`${LIGHTHOUSE}&limit=1&explain=${piece}`);
    expect(explain).to.deep.include({ memory_id: piece, position: null, cut: { at: 'source', of: first?.id } });
    expect((await recall(`${LIGHTHOUSE}&limit=9&distinct_by=none&explain=${piece}`)).explain).to.include({ cut: null });
  });

  it('does not expand to another piece of a source that has a place', async () => {
    const [bridge, sibling, other] = await storeAll(3, (number) => ({
      content: ['Bridge of stone', 'Toll house', 'Ferry across'][number - 1],
      tags: number === 1 ? ['bridges'] : ['crossings'],
      metadata: { source_id: number === 3 ? 'ferries' : 'bridges' },
    }));
    for (const id of [sibling, other]) {
      const body = { memory1_id: bridge, memory2_id: id, type: 'RELATES_TO', strength: 0.9 };
      expect((await service.request('POST', '/associate', { body })).status).to.equal(201);
    }
    await service.settled();
    const expanded = async (distinctBy: string) =>
      (await recall(`tags=bridges&query=bridge&expand_relations=true&distinct_by=${distinctBy}`)).results.map(
        ({ id }) => id,
      );
    expect(await expanded('source_id')).to.deep.equal([bridge, other]);
    expect(await expanded('none')).to.have.members([bridge, other, sibling]);
  });

  it('does not fill up with another piece of a source that has a place', async () => {
    const [inside, sibling] = await storeAll(3, (number) => ({
      content: ['Orchard with apples', 'Orchard with pears', 'Orchard with plums'][number - 1],
      tags: number === 1 ? ['orchard'] : ['garden'],
      metadata: { source_id: number === 3 ? 'plums' : 'apples' },
      timestamp: '2010-01-01T00:00:00Z',
    }));
    const filled = async (distinctBy: string) => {
      const scope = `tags=orchard&query=orchard&scope_fallback=true&limit=3&end=2010-01-02&distinct_by=${distinctBy}`;
      return (await recall(scope)).results.map(({ id }) => id);
    };
    await service.settled();
    expect(await filled('source_id'))
      .to.have.length(2)
      .and.include(inside)
      .and.not.include(sibling);
    expect(await filled('none'))
      .to.have.length(3)
      .and.include(sibling);
  });

  for (const field of ['a b', 'a/b', 'x'.repeat(65), '*']) {
    it(`rejects distinct_by=${field.slice(0, 8)} with 400`, async () => {
      expectProblem(
        await service.request('GET', `/recall?query=x&distinct_by=${encodeURIComponent(field)}`),
        400,
        "'distinct_by' must be 1 to 64 letters, digits, '_', '-' or '.': name one metadata field, or none",
      );
    });
  }

  async function storeAll(count: number, bodyOf: (number: number) => object): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let number = 1; number <= count; number += 1) ids.push(await store(service, bodyOf(number)));
    await service.settled();
    return ids;
  }
});
