/** The contract of every embedder, for each provider of vectors. */
import { expect } from 'chai';
import { createBundledEmbedder } from '../../../shared/engines/models/bundled/bundled-embedder.js';
import { createHttpEmbedder } from '../../../shared/engines/models/http/http-embedder.js';
import type { HttpProvider } from '../../../shared/engines/models/http/http-provider.js';
import { ollamaProvider } from '../../../shared/engines/models/http/ollama.js';
import { openAiProvider } from '../../../shared/engines/models/http/openai.js';
import { voyageProvider } from '../../../shared/engines/models/http/voyage.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { healthyReply, startEmbeddingServer } from '../../support/servers/embedding-server.js';

type Adapter = {
  readonly name: string;
  readonly open: () => Promise<{ readonly embedder: Embedder; readonly close: () => Promise<void> }>;
};

const ADAPTERS: readonly Adapter[] = [
  {
    name: 'bundled',
    open: async () => {
      const embedder = await createBundledEmbedder();
      return { embedder, close: () => embedder.close() };
    },
  },
  overHttp('openai', (baseUrl) => openAiProvider({ apiKey: 'key', baseUrl, model: 'text-embedding-3-small' })),
  overHttp('voyage', (baseUrl) => voyageProvider({ apiKey: 'key', baseUrl, model: 'voyage-4' })),
  overHttp('ollama', (baseUrl) => ollamaProvider({ baseUrl, model: 'nomic-embed-text' })),
];

function overHttp(name: string, provider: (baseUrl: string) => HttpProvider): Adapter {
  return {
    name,
    open: async () => {
      const server = await startEmbeddingServer(healthyReply(32));
      const embedder = createHttpEmbedder({ provider: provider(server.url), dimension: 32, batchSize: 3 });
      return { embedder, close: server.close };
    },
  };
}

for (const adapter of ADAPTERS) {
  describe(`embedder contract: ${adapter.name}`, () => {
    let embedder: Embedder;
    let close: () => Promise<void>;
    before(async () => ({ embedder, close } = await adapter.open()));
    after(() => close());

    it('returns one vector for each text, in order, for any number', async () => {
      const texts = [
        'postgres migrations',
        'dark mode',
        'staging cluster',
        'release notes',
        'on call',
        'postgres migrations',
        'tabs',
      ];
      const together = await embedder.embed(texts, { purpose: 'document' });
      expect(together).to.have.length(texts.length);
      for (const [index, text] of texts.entries()) {
        const [alone] = await embedder.embed([text], { purpose: 'document' });
        expect(cosine(together[index], alone)).to.be.closeTo(1, 1e-5);
      }
      expect(cosine(together[0], together[1])).to.be.below(0.99);
    });

    it('returns finite, non-zero vectors of its dimension', async () => {
      for (const vector of await embedder.embed(['dark mode', 'x'], { purpose: 'query' })) {
        expect(vector).to.be.instanceOf(Float32Array).with.length(embedder.dimension);
        expect(vector.every(Number.isFinite)).to.equal(true);
        expect(Math.hypot(...vector)).to.be.above(0);
      }
    });

    it('accepts blank, very long and malformed texts', async () => {
      const odd = ['   ', 'word '.repeat(10_000), 'x'.repeat(50_000), '😀', '\0', 'a\0b', '\ud83d'];
      expect(await embedder.embed(odd, { purpose: 'document' })).to.have.length(odd.length);
    });

    it('returns an empty list for no texts', async () => {
      expect(await embedder.embed([], { purpose: 'query' })).to.deep.equal([]);
    });

    it('has its dimension in the name of its model', () => {
      expect(embedder.model.split('/')).to.include(String(embedder.dimension));
    });
  });
}

function cosine(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  const dot = a.reduce((sum, component, index) => sum + component * (b[index] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}
