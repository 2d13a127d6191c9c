/** Invalid arguments over both transports: the answer names the problem, and the service receives no request. */
import { expect } from 'chai';
import { callOverMcp, connectMcp, type McpClient, TRANSPORTS } from '../../../support/clients/mcp.js';
import { type Service, startService } from '../../../support/processes/service.js';
import { openStubInstance, type StubInstance } from '../../../support/servers/stub-instance.js';
import { ABSENT_MEMORY_ID, idsByTag, store } from '../../memories/memory-fixtures.js';

const ID = '00000000-0000-4000-8000-000000000001';
const PAIR = { memory1_id: ID, memory2_id: ABSENT_MEMORY_ID, type: 'PART_OF' };
const LONG = 'x'.repeat(2_001);
const many = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item);

type Row = readonly [kind: 'missing' | 'wrong' | 'oversize' | 'unknown', given: unknown, message: RegExp];

const REJECTED: Readonly<Record<string, readonly Row[]>> = {
  store_memory: [
    ['missing', undefined, /'content' is required/u],
    ['missing', { content: ' ' }, /'content' is required/u],
    ['missing', { memories: [{ tags: ['a'] }] }, /'memories\[0\]\.content' is required/u],
    ['wrong', { content: 5 }, /'content'/u],
    ['wrong', { content: 'x', importance: 'high' }, /'importance' must be a number/u],
    ['wrong', { content: 'x', metadata: 'none' }, /'metadata'/u],
    ['wrong', { content: 'x', type: 'Banana' }, /'type' must be one of Decision/u],
    ['wrong', { content: 'x', embedding: ['a'] }, /Embedding must contain numeric values/u],
    ['wrong', { memories: [] }, /'memories'/u],
    ['wrong', { content: 'x', memories: [{ content: 'y' }] }, /'content' cannot be given together with 'memories'/u],
    ['wrong', { content: 'x', supersedes_memory_id: 'x' }, /supersedes_memory_id must be a valid UUID/u],
    ['oversize', { content: LONG }, /content \(2001 characters\) is over the limit of 2000/u],
    ['oversize', { content: LONG, supersedes_memory_id: ID }, /2001 characters/u],
    ['oversize', { memories: [{ content: 'x' }, { content: LONG }] }, /memories\[1\]\.content \(2001 characters\)/u],
    ['oversize', { memories: many(501, { content: 'x' }) }, /at most 500/u],
    ['oversize', { content: 'x', importance: 1.1 }, /'importance' must be between 0 and 1/u],
    [
      'unknown',
      { content: 'x', tag: 'a' },
      /'tag' must be left out: it is not known here \(did you mean 'tags'\? known: .*tags/u,
    ],
    ['unknown', { memories: [{ content: 'x', id: ID }] }, /'memories\[0\]\.id' must be left out/u],
  ],
  recall_memory: [
    ['missing', { exhaustive: true }, /exhaustive needs tags/u],
    ['wrong', { limit: 'many' }, /'limit'/u],
    ['wrong', { query: 5 }, /'query'/u],
    ['wrong', { tags: [{}] }, /'tags'/u],
    ['wrong', { sort: 'best' }, /'sort' must be one of score/u],
    ['wrong', { format: 'xml' }, /'format' must be one of text/u],
    ['wrong', { memory_id: 'the last one' }, /memory_id must be a valid UUID/u],
    ['wrong', { query: 'x', offset: 5 }, /offset pages only with exhaustive/u],
    ['wrong', { exhaustive: true, tags: ['a'], query: 'x', min_score: 0.1 }, /does not take query, min_score/u],
    ['wrong', { exhaustive: true, tags: ['a'], tag_match: 'prefix' }, /tag_match may only be exact/u],
    ['oversize', { limit: 201 }, /'limit' must be between 1 and 200/u],
    ['oversize', { min_score: 2 }, /'min_score' must be between 0 and 1/u],
    ['oversize', { expansion_limit: 501 }, /'expansion_limit'/u],
    ['unknown', { question: 'x' }, /'question' must be left out: it is not known here \(known: memory_id, /u],
  ],
  associate_memories: [
    ['missing', {}, /'memory1_id' is required/u],
    ['missing', { ...PAIR, memory2_id: ' ' }, /memory2_id/u],
    ['missing', { memory1_id: ID, memory2_id: ABSENT_MEMORY_ID }, /'type' is required/u],
    ['missing', { associations: [{ memory1_id: ID }] }, /'associations\[0\]\.memory2_id' is required/u],
    ['wrong', { ...PAIR, type: 'SIMILAR_TO' }, /'type' must be one of RELATES_TO/u],
    ['wrong', { ...PAIR, strength: 'strong' }, /'strength' must be a number/u],
    ['wrong', { ...PAIR, associations: [PAIR] }, /cannot be given together with 'associations'/u],
    ['oversize', { ...PAIR, strength: 1.5 }, /'strength' must be between 0 and 1/u],
    ['oversize', { associations: many(501, PAIR) }, /at most 500/u],
    ['unknown', { ...PAIR, weight: 1 }, /'weight' must be left out/u],
    ['unknown', { associations: [{ ...PAIR, weight: 1 }] }, /'associations\[0\]\.weight' must be left out/u],
  ],
  update_memory: [
    ['missing', { importance: 1 }, /'memory_id' is required/u],
    ['missing', { memory_id: ID }, /Nothing to change/u],
    ['wrong', { memory_id: 'x', importance: 1 }, /memory_id must be a valid UUID/u],
    ['wrong', { memory_id: ID, tags: 5 }, /'tags'/u],
    ['wrong', { memory_id: ID, type: 'Banana' }, /'type' must be one of/u],
    ['oversize', { memory_id: ID, content: LONG }, /2001 characters/u],
    ['oversize', { memory_id: ID, confidence: -1 }, /'confidence' must be between 0 and 1/u],
    ['unknown', { memory_id: ID, relevance: 1 }, /'relevance' must be left out/u],
  ],
  delete_memory: [
    ['missing', {}, /exactly one of 'memory_id' and 'tags': neither/u],
    ['missing', { tags: [' '] }, /blank tag/u],
    ['wrong', { memory_id: ID, tags: ['a'] }, /both were given/u],
    ['wrong', { memory_id: 'x' }, /valid UUID/u],
    ['wrong', { tags: [1] }, /'tags'/u],
    ['oversize', { memory_id: ID.repeat(1_000) }, /valid UUID/u],
    ['unknown', { id: ID }, /'id' must be left out/u],
  ],
  check_database_health: [['unknown', { verbose: true }, /'verbose' must be left out/u]],
};

/** Arguments that only the service can check: its message reaches the model. */
const REJECTED_BY_SERVICE: readonly (readonly [tool: string, given: object, message: RegExp])[] = [
  ['store_memory', { content: 'x', tags: ['refused'], timestamp: 'noon' }, /Invalid ISO timestamp/u],
  ['store_memory', { content: 'x', tags: ['refused'], embedding: [1] }, /exactly 384 values/u],
  [
    'store_memory',
    {
      memories: [
        { content: 'x', tags: ['refused'] },
        { content: 'y', timestamp: 'noon' },
      ],
    },
    /index 1/u,
  ],
  [
    'store_memory',
    { content: 'x', tags: ['refused'], supersedes_memory_id: ABSENT_MEMORY_ID },
    /not found[\s\S]*Nothing was written/iu,
  ],
  ['recall_memory', { query: 'x', time_query: 'when the moon is full' }, /time_query/u],
  ['recall_memory', { query: 'x', embedding: [1] }, /384/u],
  ['recall_memory', { queries: many(11, 'x').map((query, index) => `${query}${index}`) }, /queries/u],
  ['recall_memory', { query: 'x'.repeat(70_000) }, /too long/u],
  ['associate_memories', PAIR, /One or both memories do not exist/u],
  ['associate_memories', { ...PAIR, memory2_id: ID }, /with itself/u],
  ['update_memory', { memory_id: ABSENT_MEMORY_ID, importance: 1 }, /not found[\s\S]*recall_memory/iu],
  ['delete_memory', { memory_id: ABSENT_MEMORY_ID }, /not found/iu],
];

for (const transport of TRANSPORTS) {
  describe(`invalid arguments over ${transport}`, () => {
    let stub: StubInstance;
    let service: Service;
    let mcpOfStub: McpClient;
    let mcp: McpClient;
    before(async () => {
      [stub, service] = await Promise.all([openStubInstance('service'), startService()]);
      [mcpOfStub, mcp] = await Promise.all([
        connectMcp(transport, { url: stub.url }),
        connectMcp(transport, { url: service.url }),
      ]);
    });
    after(async () => {
      await Promise.all([mcpOfStub.close(), mcp.close()]);
      await Promise.all([stub.close(), service.close()]);
    });

    async function expectRejected(
      by: McpClient,
      { tool, given, message }: { readonly tool: string; readonly given: unknown; readonly message: RegExp },
      what: string,
    ): Promise<void> {
      const { isError, text } = await callOverMcp(by, tool, given as object | undefined);
      expect(isError, `${what}: ${text}`).to.equal(true);
      expect(text, what)
        .to.match(/^Error: /u)
        .and.match(message);
    }

    for (const [tool, rows] of Object.entries(REJECTED)) {
      it(`are named by ${tool} without a request`, async () => {
        for (const [kind, given, message] of rows)
          await expectRejected(mcpOfStub, { tool, given, message }, `${kind} ${JSON.stringify(given)?.slice(0, 200)}`);
        expect(
          stub.requests.map(({ method, url }) => `${method} ${url}`).filter((request) => request !== 'GET /health'),
        ).to.deep.equal([]);
      });
    }

    it('get the message of the service where only it can check', async () => {
      for (const [tool, given, message] of REJECTED_BY_SERVICE)
        await expectRejected(mcp, { tool, given, message }, `${tool} ${JSON.stringify(given).slice(0, 200)}`);
      expect(await idsByTag(service, 'refused')).to.deep.equal([]);
    });

    it('are counted in code points', async () => {
      const content = '𝄞'.repeat(2_000);
      const { isError, fields } = await callOverMcp(mcp, 'store_memory', { content });
      expect([isError, fields.content_length]).to.deep.equal([false, 2_000]);
    });

    it('do not affect later calls', async () => {
      const id = await store(service);
      expect((await callOverMcp(mcp, 'recall_memory', { memory_id: id })).fields).to.include({ count: 1 });
    });
  });
}
