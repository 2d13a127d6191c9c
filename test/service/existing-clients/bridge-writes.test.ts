/**
 * AutoMem's own bridge, unmodified, writes to our service: the requests of its tools, and the fields that they read
 * from answers.
 */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import {
  BRIDGE_BEHAVIOUR,
  ClientError,
  createExistingClient,
  type ExistingClient,
} from '../../support/clients/existing-client.js';
import {
  associateRequest,
  deleteByTagRequest,
  deleteRequest,
  healthRequest,
  readRequest,
  STORE_OF_EVERY_FIELD,
  storeBatchRequest,
  storeRequest,
  updateRequest,
} from '../../support/fixtures/existing-client-requests.js';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID } from '../memories/memory-fixtures.js';

const TOKEN = 'token-of-the-bridge';

describe("AutoMem's bridge", () => {
  let service: Service;
  let bridge: ExistingClient;
  before(async () => {
    service = await startService({ variables: { AUTOMEM_API_TOKEN: TOKEN } });
    bridge = createExistingClient(service, { ...BRIDGE_BEHAVIOUR, token: TOKEN });
  });
  after(() => service.close());

  /** The bridge reads the id of a stored memory from the first of these fields that is set. */
  async function store(body: object): Promise<string> {
    const answer = await bridge.send(storeRequest(body));
    return answer.memory_id ?? answer.id ?? answer.response?.memory_id;
  }
  async function readMemory(id: string) {
    return (await bridge.send(readRequest(id))).memory;
  }
  async function refusalOf(sent: Parameters<ExistingClient['send']>[0], client = bridge): Promise<ClientError> {
    const refusal = await rejection(client.send(sent));
    expect(refusal).to.be.instanceOf(ClientError);
    return refusal as ClientError;
  }
  const sameInstant = (one: string, other: string) =>
    expect(Date.parse(one), `${one} and ${other}`).to.equal(Date.parse(other));

  describe('store_memory', () => {
    it('keeps every forwarded field, under an id of the service', async () => {
      const {
        id: ownId,
        embedding,
        timestamp,
        t_valid,
        t_invalid,
        updated_at,
        last_accessed,
        ...kept
      } = STORE_OF_EVERY_FIELD;
      const answer = await bridge.send(storeRequest(STORE_OF_EVERY_FIELD));
      expect(answer)
        .to.include({ qdrant: 'stored', embedding_status: 'provided', enrichment: 'queued' })
        .and.to.not.have.property('message');
      expect(answer.memory_id).to.not.equal(ownId);
      const memory = await readMemory(answer.memory_id);
      expect(memory.id).to.equal(answer.memory_id);
      const { entities: _entities, enrichment: _enrichment, enriched_at: _enrichedAt, ...metadata } = memory.metadata;
      const tags = memory.tags.filter((tag: string) => !tag.startsWith('entity:'));
      expect({ ...memory, metadata, tags }).to.deep.include(kept);
      sameInstant(memory.timestamp, timestamp);
      sameInstant(memory.t_valid, t_valid);
      sameInstant(memory.t_invalid, t_invalid);
      sameInstant(memory.updated_at, updated_at);
      sameInstant(memory.last_accessed, last_accessed);
      const { results } = await bridge.send({
        method: 'GET',
        path: `/recall?embedding=${embedding.join(',')}&limit=1`,
      });
      expect(results[0].id).to.equal(answer.memory_id);
    });

    it('accepts content with the empty tags that it always sends', async () => {
      const memory = await readMemory(await store({ content: 'Prefers short answers', tags: [] }));
      expect(memory).to.deep.include({ content: 'Prefers short answers', importance: 0.5 });
    });

    it('stores a batch and answers ids in the order of its items', async () => {
      const items = [
        {
          content: 'First',
          tags: ['batch'],
          importance: 0.7,
          metadata: { n: 1 },
          timestamp: '2024-01-01T00:00:00.000Z',
          type: 'Insight',
          confidence: 0.6,
        },
        { content: 'Second' },
      ];
      const answer = await bridge.send(storeBatchRequest(items));
      expect(answer).to.include({ stored: 2, enrichment: 'queued' }).and.to.not.have.property('message');
      expect(answer.qdrant).to.match(/^(stored|queued)/u);
      expect(answer.query_time_ms).to.be.a('number');
      const contents = await Promise.all(answer.memory_ids.map(async (id: string) => (await readMemory(id)).content));
      expect(contents).to.deep.equal(items.map(({ content }) => content));
    });
  });

  describe('update_memory', () => {
    it('changes the forwarded fields and answers the id', async () => {
      const id = await store({ content: 'Standup is at nine', tags: ['team'], metadata: { gone: true } });
      const changes = {
        content: 'Standup is at ten',
        tags: ['team', 'calendar'],
        importance: 0.8,
        metadata: { by: 'bridge' },
        type: 'Habit',
        confidence: 0.7,
      };
      const [timestamp, later] = ['2024-02-02T02:02:02.222Z', '2024-02-03T00:00:00.000Z'];
      const times = {
        timestamp,
        t_valid: timestamp,
        t_invalid: '2999-01-01T00:00:00.000Z',
        updated_at: later,
        last_accessed: later,
      };
      const answer = await bridge.send(updateRequest(id, { ...changes, ...times }));
      expect(answer).to.deep.equal({ status: 'success', memory_id: id });
      const memory = await readMemory(id);
      expect(memory).to.include({ content: changes.content, importance: 0.8, type: 'Habit', confidence: 0.7 });
      expect(memory.tags).to.include.members(changes.tags);
      expect(memory.metadata).to.include({ by: 'bridge' }).and.to.not.have.property('gone');
      sameInstant(memory.timestamp, timestamp);
      sameInstant(memory.updated_at, later);
    });

    it('answers 404 for an unknown id', async () => {
      expect(await refusalOf(updateRequest(ABSENT_MEMORY_ID, { importance: 1 }))).to.include({
        status: 404,
        message: 'Memory not found',
      });
    });
  });

  describe('delete_memory', () => {
    it('deletes once and answers 404 the second time', async () => {
      const id = await store({ content: 'To be forgotten', tags: [] });
      expect((await bridge.send(deleteRequest(id))).memory_id).to.equal(id);
      expect(await refusalOf(deleteRequest(id))).to.include({ status: 404, message: 'Memory not found' });
    });

    it('deletes by any of several tags, ignoring case, and counts', async () => {
      await bridge.send(
        storeBatchRequest(['sweep:one', 'Sweep/Two', 'kept'].map((tag) => ({ content: `Tagged ${tag}`, tags: [tag] }))),
      );
      const asked = ['SWEEP:ONE', 'sweep/two'];
      expect(await bridge.send(deleteByTagRequest(asked))).to.deep.include({ deleted_count: 2, tags: asked });
      expect(await bridge.send(deleteByTagRequest(asked))).to.include({ status: 'success', deleted_count: 0 });
    });
  });

  describe('associate_memories', () => {
    let pair: { readonly memory1_id: string; readonly memory2_id: string };
    before(async () => {
      const [memory1_id, memory2_id] = (
        await bridge.send(storeBatchRequest([{ content: 'Cause' }, { content: 'Effect' }]))
      ).memory_ids;
      pair = { memory1_id, memory2_id };
    });

    it('writes an association with the properties of its type', async () => {
      const answer = await bridge.send(
        associateRequest({ ...pair, type: 'PREFERS_OVER', strength: 0.9, context: 'graphs', reason: 'paths' }),
      );
      expect(answer).to.include({
        status: 'success',
        message: `Association created between ${pair.memory1_id} and ${pair.memory2_id}`,
      });
    });

    it('distinguishes full from partial success of a batch', async () => {
      const good = { ...pair, type: 'LEADS_TO', strength: 0.5 };
      const lost = { ...pair, memory2_id: ABSENT_MEMORY_ID, type: 'LEADS_TO', strength: 0.5 };
      /** The bridge decides by these fields. */
      const isSuccess = ({ failed_count, status }: { failed_count: number; status: string }) =>
        failed_count === 0 && status !== 'partial_success';
      const whole = await bridge.send(associateRequest({ associations: [good] }));
      expect([isSuccess(whole), whole.created_count, whole.summary]).to.deep.equal([
        true,
        1,
        '1/1 associations created successfully',
      ]);
      const partial = await bridge.send(associateRequest({ associations: [good, lost] }));
      expect([isSuccess(partial), partial.summary]).to.deep.equal([false, '1/2 associations created successfully']);
      expect(partial).to.deep.include({
        created_count: 1,
        failed_count: 1,
        failed: [{ index: 1, reason: 'One or both memories do not exist' }],
      });
      expect(partial.succeeded[0]).to.include({ index: 0, memory1_id: pair.memory1_id, memory2_id: pair.memory2_id });
    });

    it('answers the reason of a rejection', async () => {
      const refusalTo = (memory2_id: string) =>
        refusalOf(associateRequest({ ...pair, memory2_id, type: 'LEADS_TO', strength: 1 }));
      expect(await refusalTo(pair.memory1_id)).to.include({
        status: 400,
        message: 'Cannot associate a memory with itself',
      });
      expect(await refusalTo(ABSENT_MEMORY_ID)).to.include({
        status: 404,
        message: 'One or both memories do not exist',
      });
    });
  });

  it('answers 401 without a token; the bridge appends its hint', async () => {
    const stranger = createExistingClient(service, BRIDGE_BEHAVIOUR);
    expect(await refusalOf(storeRequest({ content: 'x', tags: [] }), stranger)).to.include({
      status: 401,
      message: `Unauthorized${BRIDGE_BEHAVIOUR.hint}`,
    });
  });

  it('answers health with the fields that the bridge reads', async () => {
    await service.settled();
    const health = await bridge.send(healthRequest);
    expect(health).to.include({ status: 'healthy', falkordb: 'connected', qdrant: 'connected' });
    expect(health.sync_status).to.be.oneOf(['unknown', 'synced', 'drift_detected', 'orphaned_vectors']);
    for (const name of ['memory_count', 'vector_count']) expect(health[name], name).to.be.a('number');
    for (const name of ['graph', 'timestamp']) expect(health[name], name).to.be.a('string');
    expect(health.vector_dimensions).to.have.all.keys('configured', 'effective', 'collection', 'mismatch');
    expect(health.enrichment).to.include.keys('status', 'queue_depth', 'pending', 'inflight', 'processed', 'failed');
  });
});
