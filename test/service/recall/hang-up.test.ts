/** A client that disconnects: its recall begins no further stage. */
import { expect } from 'chai';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('a recall whose client has disconnected', () => {
  const embedder = createWordHashEmbedder(512);
  let service: Service;
  let hydrations = 0;
  let encode: (() => void) | null = null;
  before(async () => {
    service = await startService({
      embedder,
      alter: (engines) => ({
        ...engines,
        embedder: {
          ...embedder,
          embed: async (texts, options) => {
            if (texts.includes('walrus')) await new Promise<void>((resolve) => (encode = resolve));
            return embedder.embed(texts, options);
          },
        },
        graph: {
          ...engines.graph,
          lineages: (ids, hops) => {
            hydrations += 1;
            return engines.graph.lineages(ids, hops);
          },
        },
      }),
    });
    await service.request('POST', '/memory', { body: { content: 'The walrus sleeps' } });
    await service.settled();
  });
  after(() => service.close());

  it('reads no memories', async () => {
    const client = new AbortController();
    const recall = service.request('GET', '/recall?query=walrus', { signal: client.signal }).catch(() => 'gone');
    while (encode === null) await service.request('GET', '/livez');
    client.abort();
    expect(await recall).to.equal('gone');
    // The server has seen the end of the connection when it answers a later request.
    for (let round = 0; round < 5; round += 1) await service.request('GET', '/livez');
    encode();
    await service.request('GET', '/recall?query=sleeps');
    expect(hydrations).to.equal(1);
  });
});
