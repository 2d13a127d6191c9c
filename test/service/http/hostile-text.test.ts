/**
 * Long texts at every entrance that reads an id or a query: the cost of the reply is linear in the text, and bounded
 * for a query.
 */
import { expect } from 'chai';
import { createRecallMemoryTool } from '../../../deploy/mcp/tools/recall-memory.js';
import { GATEWAYS } from '../../support/adapters/gateways.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { expectLinear } from '../../support/checks/expect-linear.js';
import { callTool } from '../../support/clients/call-tool.js';
import { type Service, startService } from '../../support/processes/service.js';
import { openStubInstance } from '../../support/servers/stub-instance.js';

const ID = '00000000-0000-4000-8000-000000000001';

describe('the cost of a long text', () => {
  const embedder = createWordHashEmbedder(512);
  let service: Service;
  before(async () => {
    service = await startService({ embedder, variables: { ADMIN_API_TOKEN: 'admin' } });
    await store({ content: 'Ann paints walruses', metadata: { speaker: `a${'-'.repeat(40_000)}a` } });
    await store({ content: 'Ann writes about walruses', metadata: { speaker: 'Ann' } });
    await service.settled();
  });
  after(() => service.close());

  const store = (body: object) => service.request('POST', '/memory', { body });
  const get = (path: string) => service.request('GET', path);
  const associate = (memory1_id: string) =>
    service.request('POST', '/associate', {
      body: { memory1_id, memory2_id: ID, type: 'RELATES_TO', strength: 0.5 },
    });

  const entrances: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
    'X-Request-Id': (text) => service.request('GET', '/livez', { headers: { 'x-request-id': text } }),
    'POST /associate': associate,
    'GET /memory/:id': (text) => get(`/memory/${encodeURIComponent(text)}`),
    'ids of POST /enrichment/reprocess': (text) =>
      service.request('POST', '/enrichment/reprocess', {
        body: { ids: [text] },
        headers: { 'x-admin-token': 'admin' },
      }),
    priority_ids: (text) => get(`/recall?priority_ids=${text}`),
    explain: (text) => get(`/recall?explain=${text}`),
    'subject of GET /events': (text) => get(`/events?subject=${text}`),
    'memory_id of recall_memory': (memory_id) =>
      callTool(createRecallMemoryTool({ tokenBudget: 18_000 }), { memory_id }, service.url),
  };
  for (const [entrance, send] of Object.entries(entrances))
    it(`is linear in ${entrance}`, () => expectLinear('{', send, { length: 12_000 }));

  it('is linear in X-Request-Id of the Node gateway', async () => {
    const stub = await openStubInstance('api');
    const gateway = await GATEWAYS[0]?.open({ instances: { command: [stub.url], query: [stub.url] } });
    try {
      await expectLinear('{', async (text) => {
        const reply = await fetch(`${gateway?.url}/recall`, { headers: { 'x-request-id': text } });
        expect(reply.status).to.equal(200);
        await reply.text();
      });
    } finally {
      await Promise.all([gateway?.close(), stub.close()]);
    }
  });

  for (const piece of ['-', 'a-', 'walrus+', 'a1.', 'src/a1.ts+', 'Ann+'])
    it(`is linear in a query of ${piece}`, () =>
      expectLinear(piece, (text) => get(`/recall?query=Ann+${text}&auto_decompose=true`), { length: 15_000 }));

  it('reaches the encoder with at most 4,096 characters of a query', async () => {
    embedder.calls.length = 0;
    const { status, body } = await get(`/recall?query=Ann+${'walruses+'.repeat(7_000)}`);
    expect(status).to.equal(200);
    expect(body.count).to.equal(2);
    expect(body.query).to.have.length(4_096);
    expect(embedder.calls.flat().map(({ length }) => length)).to.deep.equal([4_096]);
  });
});
