/** AutoMem's bridge sends every request again after a 5xx or without an answer, and never an Idempotency-Key: what that does to a store. */
import { expect } from 'chai';
import { BRIDGE_HABITS, createExistingClient, type ExistingClient } from '../support/create-existing-client.js';
import {
  associateRequest,
  deleteRequest,
  readRequest,
  storeBatchRequest,
  storeRequest,
  updateRequest,
} from '../support/existing-client-requests.js';
import { createHttpCaller } from '../support/http-caller.js';
import { rejection } from '../support/rejection.js';
import { startService, type Service } from '../support/service.js';
import { until } from '../support/until.js';
import { idsByTag } from './memory-fixtures.js';

describe("AutoMem's bridge, sending again", () => {
  let service: Service;
  let bridge: ExistingClient;
  let pauses: number;
  beforeEach(async () => {
    service = await startService();
    pauses = 0;
    /** The graph comes back in the pause before the second retry. */
    bridge = createExistingClient(service, BRIDGE_HABITS, () => {
      pauses += 1;
      if (pauses === 2) service.breakers.graph.mend();
    });
  });
  afterEach(() => service.close());

  const store = async (body: object): Promise<string> => (await bridge.send(storeRequest(body))).memory_id;

  it('stores one memory, however many answers were 503', async () => {
    service.breakers.graph.break();
    const id = await store({ content: 'The harbour closes at eight', tags: ['harbour'] });
    service.breakers.graph.mend();
    expect(await idsByTag(service, 'harbour')).to.deep.equal([id]);
  });

  it('changes, associates and deletes once the graph is back', async () => {
    const [one, two] = [
      await store({ content: 'One', tags: ['pair'] }),
      await store({ content: 'Two', tags: ['pair'] }),
    ];
    const retried = async (request: Parameters<ExistingClient['send']>[0]) => {
      pauses = 0;
      service.breakers.graph.break();
      const answer = await bridge.send(request);
      expect(pauses).to.equal(2);
      return answer;
    };
    expect(await retried(updateRequest(one, { importance: 0.9 }))).to.include({ memory_id: one });
    expect(
      await retried(associateRequest({ memory1_id: one, memory2_id: two, type: 'LEADS_TO', strength: 0.7 })),
    ).to.include({ relation_type: 'LEADS_TO' });
    const { memory } = await bridge.send(readRequest(one));
    expect(memory.importance).to.equal(0.9);
    expect(memory.relations).to.have.length(1);
    expect(await retried(deleteRequest(two))).to.include({ memory_id: two });
    expect(await idsByTag(service, 'pair')).to.deep.equal([one]);
  });

  it('gives up after the third retry and shows what was wrong', async () => {
    const id = await store({ content: 'Out of reach', tags: [] });
    service.breakers.graph.break();
    pauses = 2; // nobody mends it
    expect(await rejection(bridge.send(updateRequest(id, { importance: 0.1 })))).to.include({
      status: 503,
      message: 'Graph database unavailable',
    });
    expect(pauses).to.equal(2 + BRIDGE_HABITS.retries);
  });

  it('gets what it stored, when it had hung up before the answer', async () => {
    const { body } = storeBatchRequest(
      Array.from({ length: 20 }, (_, index) => ({ content: `Lantern ${index} over the quay`, tags: ['quay'] })),
    );
    service.breakers.embedder.break(); // a batch waits for its vectors
    const hangUp = new AbortController();
    const unanswered = rejection(
      createHttpCaller(service.url).request('POST', '/memory/batch', { body, signal: hangUp.signal }),
    );
    await until('it is committed', async () => (await idsByTag(service, 'quay')).length === 20);
    hangUp.abort();
    await unanswered;
    service.breakers.embedder.mend();
    await idsByTag(service, 'quay'); // a round trip for the pause of half a second, in which the service sees that nobody listens
    const answer = await bridge.send({ method: 'POST', path: '/memory/batch', body: body! });
    expect(await idsByTag(service, 'quay'))
      .to.have.members(answer.memory_ids)
      .and.have.length(20);
  });
});
