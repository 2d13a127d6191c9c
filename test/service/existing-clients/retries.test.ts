/**
 * AutoMem's bridge retries every request after a 5xx or without an answer, and never sends an Idempotency-Key: the
 * effect on writes.
 */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { BRIDGE_BEHAVIOUR, createExistingClient, type ExistingClient } from '../../support/clients/existing-client.js';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import {
  associateRequest,
  deleteRequest,
  readRequest,
  storeBatchRequest,
  storeRequest,
  updateRequest,
} from '../../support/fixtures/existing-client-requests.js';
import { type Service, startService } from '../../support/processes/service.js';
import { idsByTag } from '../memories/memory-fixtures.js';

describe("retries by AutoMem's bridge", () => {
  let service: Service;
  let bridge: ExistingClient;
  let pauses: number;
  beforeEach(async () => {
    service = await startService();
    pauses = 0;
    /** The graph works again during the pause before the second retry. */
    bridge = createExistingClient(service, BRIDGE_BEHAVIOUR, () => {
      pauses += 1;
      if (pauses === 2) service.breakers.graph.mend();
    });
  });
  afterEach(() => service.close());

  const store = async (body: object): Promise<string> => (await bridge.send(storeRequest(body))).memory_id;

  it('store one memory after several 503 answers', async () => {
    service.breakers.graph.break();
    const id = await store({ content: 'The harbour closes at eight', tags: ['harbour'] });
    service.breakers.graph.mend();
    expect(await idsByTag(service, 'harbour')).to.deep.equal([id]);
  });

  it('change, associate and delete once the graph works again', async () => {
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

  it('end after the third retry with the reason', async () => {
    const id = await store({ content: 'Out of reach', tags: [] });
    service.breakers.graph.break();
    pauses = 2; // above the count at which the graph is mended
    expect(await rejection(bridge.send(updateRequest(id, { importance: 0.1 })))).to.include({
      status: 503,
      message: 'Graph database unavailable',
    });
    expect(pauses).to.equal(2 + BRIDGE_BEHAVIOUR.retries);
  });

  it('return the stored ids after a disconnect before the answer', async () => {
    const { body } = storeBatchRequest(
      Array.from({ length: 20 }, (_, index) => ({ content: `Lantern ${index} over the quay`, tags: ['quay'] })),
    );
    service.breakers.embedder.break(); // a batch waits for its vectors
    const hangUp = new AbortController();
    const unanswered = rejection(
      createHttpCaller(service.url).request('POST', '/memory/batch', { body, signal: hangUp.signal }),
    );
    await until('the batch is committed', async () => (await idsByTag(service, 'quay')).length === 20);
    hangUp.abort();
    await unanswered;
    service.breakers.embedder.mend();
    await idsByTag(service, 'quay'); // a round trip in place of the pause of 0.5 s, in which the service notices the disconnect
    const answer = await bridge.send({ method: 'POST', path: '/memory/batch', body: body! });
    expect(await idsByTag(service, 'quay'))
      .to.have.members(answer.memory_ids)
      .and.have.length(20);
  });
});
