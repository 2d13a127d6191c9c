/** What an undo of a merge enriches again: decided by the order of commits, whatever the clocks of processes say. */
import { expect } from 'chai';
import { ADMIN, type MergingService, startMergingService } from '../../support/processes/merging-service.js';

describe('the undo of a merge', () => {
  let service: MergingService;
  beforeEach(async () => {
    service = await startMergingService();
  });
  afterEach(() => service.close());

  async function post(path: string, body = {}) {
    const reply = await service.request('POST', path, { headers: ADMIN, body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply.body;
  }
  const merge = () => post('/entity/alice-johnson/merge', { merge_into: 'robert-smith' });
  const undo = async () => (await post('/entity/alice-johnson/unmerge')).unmerge;
  /** Stores and enriches. */
  async function store(content: string) {
    const id = await service.store(content);
    await service.settled();
    return id;
  }
  async function peopleOf(id: string) {
    const { tags, entities } = (await service.request('GET', `/memory/${id}`)).body.memory;
    const slugs = tags.filter((tag: string) => tag.startsWith('entity:people:')).map((tag: string) => tag.slice(14));
    return [...slugs, ...(entities?.people ?? [])];
  }

  for (const [title, merging] of [
    ['behind', -1],
    ['ahead', 1],
  ] as const)
    it(`finds the same with a merge by a clock an hour ${title}`, async () => {
      const robert = await store('Robert Smith called about the budget');
      const early = await store('Met with Alice Johnson about the budget');
      service.clock.ahead = merging;
      await merge();
      service.clock.ahead = 0;
      const since = await store('Alice Johnson opened the harbour project');
      expect(await peopleOf(since)).to.deep.equal(['robert-smith', 'Robert Smith']);

      service.clock.ahead = merging;
      expect(await undo()).to.include({ edges_moved: 1, enrichments_requested: 1 });
      service.clock.ahead = 0;
      await service.settled();
      expect(await peopleOf(since)).to.deep.equal(['alice-johnson', 'Alice Johnson']);
      expect(await peopleOf(early)).to.deep.equal(['alice-johnson', 'Alice Johnson']);
      expect(await peopleOf(robert)).to.deep.equal(['robert-smith', 'Robert Smith']);
      await store('Robert Smith paints');
      expect(await undo(), 'a repeat').to.include({ edges_moved: 0, enrichments_requested: 0 });
    });

  it('ends an enrichment that read the merge and commits after the undo', async () => {
    await store('Robert Smith called about the budget');
    await store('Met with Alice Johnson about the budget');
    await merge();
    let undone: object | undefined;
    service.records.then = async () => (undone = await undo());
    const id = await store('Alice Johnson opened the harbour project');
    expect(undone).to.include({ edges_moved: 1, enrichments_requested: 0 });
    expect(await peopleOf(id)).to.deep.equal(['alice-johnson', 'Alice Johnson']);
  });
});
