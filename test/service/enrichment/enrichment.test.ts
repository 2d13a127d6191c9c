/** Background enrichment of memories: its results, when it happens again, and its status. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Service, type ServiceOptions, startService } from '../../support/processes/service.js';
import { idsByTag, read, store } from '../memories/memory-fixtures.js';

describe('enrichment', () => {
  let service: Service;
  afterEach(() => service.close());

  async function open(options: ServiceOptions = {}): Promise<void> {
    service = await startService({
      enriches: true,
      ...options,
      variables: { ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0', ...options.variables },
    });
  }
  type Relation = {
    readonly type: string;
    readonly strength: number;
    readonly direction: string;
    readonly memory: { readonly id: string };
  };
  async function derived(id: string, type: string): Promise<readonly string[]> {
    const relations = (await read(service, id)).relations as readonly Relation[];
    return relations
      .filter((each) => each.type === type && each.direction === 'outgoing')
      .map(({ memory }) => memory.id);
  }
  const status = async () => (await service.request('GET', '/enrichment/status')).body;
  const enrichedEvents = () => service.engines.journal.read({ after: 0, limit: 100, types: ['memory.enriched'] });

  it('adds names, a summary and its time to a memory', async () => {
    await open();
    const id = await store(service, {
      content: 'We met with Marianne Keller about the budget. She liked it.',
      tags: ['own'],
    });
    await service.settled();
    const memory = await read(service, id);
    expect(memory).to.include({
      enriched: true,
      processed: true,
      summary: 'We met with Marianne Keller about the budget.',
    });
    expect(memory['enriched_at']).to.be.a('string');
    expect(memory['tags']).to.include.members(['own', 'entity:people:marianne-keller']);
    expect(memory['metadata']).to.have.nested.property('entities.people').that.deep.equals(['Marianne Keller']);
    expect(memory['metadata']).to.have.nested.property('enrichment.temporal_links', 0);
    expect(await idsByTag(service, 'entity:people:marianne-keller')).to.deep.equal([id]);
  });

  it('associates a memory with predecessors, similar memories and its pattern', async () => {
    await open();
    const at = (day: number) => `2024-05-0${day}T10:00:00Z`;
    const first = await store(service, { content: 'The deploy pipeline runs every night', timestamp: at(1) });
    const second = await store(service, { content: 'Bread is baked on Sundays', timestamp: at(2) });
    const third = await store(service, { content: 'Trains to Bergen are late', timestamp: at(3) });
    await service.settled();
    const last = await store(service, { content: 'The deploy pipeline runs every night.', timestamp: at(4) });
    await service.settled();
    expect(await derived(last, 'PRECEDED_BY')).to.have.members([third, second, first]);
    expect(await derived(last, 'SIMILAR_TO')).to.deep.equal([first]);
    const [pattern = ''] = await derived(last, 'EXEMPLIFIES');
    expect(await read(service, pattern)).to.include({ type: 'MetaPattern', enriched: true });
    expect(
      (await service.request('GET', '/recall?query=pattern+across+memories')).body.results.map(
        ({ id }: { id: string }) => id,
      ),
    ).to.not.include(pattern);
    const listed = async (query: string): Promise<readonly string[]> =>
      (await service.request('GET', `/memories?${query}`)).body.memories.map(({ id }: { id: string }) => id);
    expect(await listed('limit=100'))
      .to.include(last)
      .and.not.include(pattern);
    expect(await listed('types=MetaPattern')).to.deep.equal([]);
    expect(await listed('types=MetaPattern&include_internal=true')).to.include(pattern);
  });

  it('repeats when the content changes, and keeps the revision', async () => {
    await open();
    const id = await store(service, { content: 'We met with Marianne Keller.' });
    await service.settled();
    const { headers } = await service.request('GET', `/memory/${id}`);
    const patch = (body: object, etag: string | null) =>
      service.request('PATCH', `/memory/${id}`, { body, headers: { 'If-Match': etag ?? '' } });
    const changed = await patch({ content: 'We met with Tobias Brandt.' }, headers.get('etag'));
    expect(changed.status, 'enrichment has not changed the ETag').to.equal(200);
    await service.settled();
    expect((await read(service, id))['tags']).to.deep.equal(['entity:people:tobias-brandt']);
    expect((await patch({ importance: 0.1 }, changed.headers.get('etag'))).status).to.equal(200);
    await service.settled();
    expect(await read(service, id)).to.include({ enriched: true, importance: 0.1 });
    expect(await enrichedEvents()).to.have.length(2);
  });

  it('repeats once on request', async () => {
    const admin = 'admin-token-of-the-tests';
    await open({ variables: { ADMIN_API_TOKEN: admin } });
    const id = await store(service);
    await service.settled();
    const asked = await service.request('POST', '/enrichment/reprocess', {
      body: { ids: [id] },
      headers: { 'x-admin-token': admin },
    });
    expect(asked.status).to.equal(202);
    await service.settled();
    expect(await read(service, id))
      .to.include({ enriched: true })
      .and.have.nested.property('metadata.enrichment.forced', true);
    expect(await enrichedEvents()).to.have.length(2);
  });

  it('waits while the indexer fails, then enriches', async () => {
    await open();
    service.breakers.embedder.break();
    const id = await store(service);
    await until('the indexer has failed', async () =>
      (await service.engines.projectorStates.list()).some(({ lastError }) => lastError !== null),
    );
    expect(await read(service, id)).to.include({ enriched: false });
    expect(await status()).to.include({ status: 'running', pending: 1, queue_size: 1 });
    service.breakers.embedder.mend();
    await service.settled();
    expect(await read(service, id)).to.include({ enriched: true });
  });

  it('counts its successes', async () => {
    await open();
    await store(service);
    await service.settled(); // memories of two partitions are enriched in any order
    const last = await store(service);
    await service.settled();
    const body = await until('the enricher has saved its state', async () => {
      const reported = await status();
      return reported.stats.successes === 2 && reported;
    });
    expect(body).to.deep.include({ status: 'running', queue_size: 0, pending: 0, inflight: 0, max_attempts: 3 });
    expect(body.stats).to.include({
      processed_total: 2,
      failures: 0,
      last_success_id: last,
    });
    expect(body.stats, 'of the projector').to.include({ last_error: null, last_error_at: null });
    expect(body.stats.last_success_at).to.be.a('string');
    expect(body, 'classifications are not counted').to.not.have.property('classification');
    const health = (await service.request('GET', '/health')).body;
    expect(health.enrichment).to.deep.equal({
      status: 'running',
      queue_depth: 0,
      pending: 0,
      inflight: 0,
      processed: 2,
      failed: 0,
    });
  });

  it('adds a dead letter for a poisoned memory and enriches the others', async () => {
    const poison = '1999-12-31T12:00:00Z';
    await open({
      alter: (engines) => ({
        ...engines,
        graph: {
          ...engines.graph,
          newestWithin: async (request) => {
            if (request.windows.some(({ end }) => end.startsWith('1999-12-31T11:59:59')))
              throw new TypeError('no such thing');
            return engines.graph.newestWithin(request);
          },
        },
      }),
    });
    const [bad, good] = [await store(service, { timestamp: poison }), await store(service)];
    await service.settled();
    expect(await read(service, bad)).to.include({ enriched: false });
    expect(await read(service, good)).to.include({ enriched: true });
    const [letter] = await service.engines.deadLetters.list({ projector: 'enricher', afterId: 0, limit: 10 });
    expect(letter).to.include({
      subject: bad,
      type: 'memory.stored',
      reason: 'Unexpected TypeError: see the log of the process',
      attempts: 3,
    });
    const [failed] = await service.engines.journal.read({ after: 0, limit: 10, types: ['memory.enrichment.failed'] });
    expect(failed?.data).to.deep.include({ attempts: 3, error: 'Unexpected TypeError: see the log of the process' });
    const body = await until('the enricher has saved its state', async () => {
      const reported = await status();
      return reported.stats.failures >= 1 && reported; // more when the event was delivered again
    });
    expect(body).to.include({ pending: 1 });
    expect(body.stats).to.include({ last_error: 'Unexpected TypeError: see the log of the process' });
  });
});
