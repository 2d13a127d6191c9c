/** GET /memory/:id: the record, its relations in both directions and its revision. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /memory/:id', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function store(body: Record<string, unknown>): Promise<string> {
    return (await service.request('POST', '/memory', { body })).body.memory_id;
  }

  it('returns every stored field', async () => {
    const metadata = { deep: { list: [1, null] } };
    const id = await store({
      content: 'Whole',
      type: 'decision',
      tags: ['A/b'],
      importance: 0.7,
      metadata,
      timestamp: '2024-01-01',
    });
    const { status, body } = await service.request('GET', `/memory/${id}`);
    expect(status).to.equal(200);
    expect(body.status).to.equal('success');
    expect(body.memory).to.deep.include({
      id,
      content: 'Whole',
      type: 'Decision',
      confidence: 0.9,
      tags: ['A/b'],
      tag_prefixes: ['a', 'a:b'],
      importance: 0.7,
      metadata,
      timestamp: '2024-01-01T00:00:00+00:00',
      enriched: false,
      relations: [],
    });
  });

  it('includes associations in both directions', async () => {
    const centre = await store({ content: 'Centre' });
    const before = await store({ content: 'Before' });
    const after = await store({ content: 'After' });
    await service.request('POST', '/associate', {
      body: { memory1_id: before, memory2_id: centre, type: 'LEADS_TO', strength: 0.4 },
    });
    await service.request('POST', '/associate', {
      body: { memory1_id: centre, memory2_id: after, type: 'PREFERS_OVER', strength: 0.6, reason: 'simpler' },
    });
    const { memory } = (await service.request('GET', `/memory/${centre}`)).body;
    expect(memory.relations).to.have.length(2);
    const byDirection = Object.fromEntries(
      memory.relations.map((relation: { readonly direction: string }) => [relation.direction, relation]),
    );
    expect(byDirection.incoming).to.deep.include({ type: 'LEADS_TO', strength: 0.4 });
    expect(byDirection.incoming.memory).to.include({ id: before, content: 'Before' });
    expect(byDirection.outgoing).to.deep.include({
      type: 'PREFERS_OVER',
      strength: 0.6,
      properties: { reason: 'simpler' },
    });
    expect(byDirection.outgoing.memory).to.include({ id: after });
  });

  it('includes a summary of the other memory', async () => {
    const centre = await store({ content: 'Centre of it' });
    const wordy = await store({
      content: 'word '.repeat(50),
      type: 'Insight',
      importance: 0.8,
      tags: ['a', 'b', 'c', 'd', 'e', 'f'],
      timestamp: '2024-01-01',
    });
    const brief = await store({ content: 'Brief' });
    for (const memory2_id of [wordy, brief]) {
      await service.request('POST', '/associate', { body: { memory1_id: centre, memory2_id, type: 'RELATES_TO' } });
    }
    const { relations } = (await service.request('GET', `/memory/${centre}`)).body.memory;
    const relationTo = (id: string) => relations.find(({ memory }: { memory: { id: string } }) => memory.id === id);
    expect(relationTo(brief).memory).to.include({ content: 'Brief' }).and.not.have.property('tags');
    expect(relationTo(wordy))
      .to.include({ type: 'RELATES_TO', direction: 'outgoing', strength: 0.5 })
      .and.have.property('created_at', relationTo(wordy).updated_at);
    expect(relationTo(wordy).memory).to.deep.equal({
      id: wordy,
      type: 'Insight',
      importance: 0.8,
      confidence: 0.9,
      timestamp: '2024-01-01T00:00:00+00:00',
      content: `${'word '.repeat(30)}word…`,
      tags: ['a', 'b', 'c', 'd', 'e'],
    });
  });

  it('accepts an id in every form of a UUID', async () => {
    const id = await store({ content: 'Named in many ways' });
    for (const form of [id.toUpperCase(), id.replaceAll('-', ''), `%7B${id}%7D`, `urn:uuid:${id}`]) {
      expect((await service.request('GET', `/memory/${form}`)).body.memory, form).to.include({ id });
    }
  });

  it('returns the revision, which grows with every change', async () => {
    const id = await store({ content: 'First words' });
    const first = (await service.request('GET', `/memory/${id}`)).headers.get('etag');
    await service.request('PATCH', `/memory/${id}`, { body: { importance: 0.9 } });
    const second = (await service.request('GET', `/memory/${id}`)).headers.get('etag');
    expect(first).to.match(/^"\d+"$/u);
    expect(second)
      .to.match(/^"\d+"$/u)
      .and.not.equal(first);
  });

  it('returns an expired memory too', async () => {
    const id = await store({ content: 'Over', t_invalid: '2020-01-01' });
    expect((await service.request('GET', `/memory/${id}`)).body.memory).to.include({
      id,
      t_invalid: '2020-01-01T00:00:00+00:00',
    });
  });

  it('records the access after the response', async () => {
    const id = await store({ content: 'Accessed', last_accessed: '2020-01-01' });
    expect((await service.request('GET', `/memory/${id}`)).body.memory.last_accessed).to.equal(
      '2020-01-01T00:00:00+00:00',
    );
    await until(
      'the access is noted',
      async () => (await service.request('GET', `/memory/${id}`)).body.memory.last_accessed > '2024-01-01',
    );
  });

  it('answers 404 for an unknown id', async () => {
    const { status, body } = await service.request('GET', '/memory/4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11');
    expect(status).to.equal(404);
    expect(body.message).to.equal('Memory not found');
  });

  it('rejects an invalid id', async () => {
    const { status, body } = await service.request('GET', '/memory/not-an-id');
    expect(status).to.equal(400);
    expect(body.message).to.equal('memory_id must be a valid UUID');
  });
});
