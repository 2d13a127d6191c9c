/**
 * A vector index that does not belong to the journal: indexing waits, and `/health` says why. Commands and reads go on.
 */
import { expect } from 'chai';
import type { IndexMarks } from '../../../projectors/vector-indexer/marked-indexer.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-token';
const OTHER_JOURNAL = { journalId: '11111111-1111-4111-8111-111111111111', position: 7, eventId: 'other' };

describe('emptied vector index', () => {
  let service: Service;
  let isEmptied = false;

  before(async () => {
    service = await startService({
      alter: (engines) => {
        const count: Service['engines']['vectors']['count'] = async (request) =>
          isEmptied ? 0 : engines.vectors.count(request);
        const vectors = Object.assign(Object.create(engines.vectors) as Service['engines']['vectors'], { count });
        return { ...engines, vectors };
      },
    });
  });
  after(() => service.close());

  it('makes /health degraded with a sentence', async () => {
    await service.request('POST', '/memory', { body: { content: 'Its vector will be missing' } });
    await service.settled();
    isEmptied = true;
    await until('the problem is reported', async () => {
      const { body } = await service.request('GET', '/health');
      return body.status === 'degraded' && String(body.problems[0]).startsWith('The vector index was emptied');
    });
  });
});

describe('vector index of another journal', () => {
  let service: Service;
  let marks: IndexMarks;
  let isReplaced = false;

  before(async () => {
    service = await startService({
      variables: { ADMIN_API_TOKEN: ADMIN, PROJECTOR_STATE_SAVE_MS: '500' },
      alter: (engines) => {
        marks = engines.indexMarks;
        const read = async () => (isReplaced ? OTHER_JOURNAL : marks.index.read());
        return { ...engines, indexMarks: { ...marks, index: { ...marks.index, read } } };
      },
    });
  });
  after(() => service.close());

  async function health() {
    return (await service.request('GET', '/health')).body;
  }
  const store = async (content: string): Promise<string> =>
    (await service.request('POST', '/memory', { body: { content } })).body.memory_id;

  it('is not reported for the index of the service', async () => {
    await store('Before the index was replaced');
    await service.settled();
    const { id, head } = await marks.journal.state();
    expect(await marks.index.read()).to.deep.equal({
      journalId: id,
      position: head,
      eventId: (await marks.journal.eventIdsAt([head])).get(head) ?? null,
    });
    expect(await health()).to.deep.include({ status: 'healthy', problems: [], vector_count: 1 });
  });

  it('stops indexing with the reason, but no command and no read', async () => {
    isReplaced = true;
    const { id: journalId } = await marks.journal.state();
    const problem =
      `The vector index belongs to journal ${OTHER_JOURNAL.journalId}, but the connected journal is ${journalId}: one of the two was replaced. ` +
      'Indexing waits. Connect the vector index and the journal that belong together';
    const headers = { 'x-admin-token': ADMIN };
    await until('the indexer gives the reason', async () => {
      if ((await health()).in_flight === 0) await store('Indexing waits for this one, or for the next');
      const { body } = await service.request('GET', '/admin/projectors', { headers });
      return body.projectors[0].last_error === problem;
    });
    expect(await health()).to.deep.include({ status: 'degraded', problems: [problem] });
    const id = await store('Quokkas are stored while indexing waits');
    expect((await service.request('GET', `/memory/${id}`)).status).to.equal(200);
    const { body } = await service.request('GET', '/recall?query=quokkas');
    expect(body.results.map((result: { readonly id: string }) => result.id)).to.include(id);
  });

  it('continues with the index that belongs to the journal', async () => {
    isReplaced = false;
    await service.settled();
    await until('every memory has its vector', async () => {
      const { status, problems, memory_count: memories, vector_count: vectors } = await health();
      return status === 'healthy' && problems.length === 0 && memories === vectors;
    });
  });
});
