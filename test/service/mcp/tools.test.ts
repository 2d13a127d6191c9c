import { expect } from 'chai';
import { createAssociateMemoriesTool } from '../../../deploy/mcp/tools/associate-memories.js';
import { createStoreMemoryTool } from '../../../deploy/mcp/tools/store-memory.js';
import { callTool, expectFailed, type ToolResult } from '../../support/clients/call-tool.js';
import { openFailingProxy } from '../../support/faults/failing-proxy.js';
import { startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, idsByTag, read, type Service, store } from '../memories/memory-fixtures.js';

describe('MCP tools', () => {
  let service: Service;
  const tools = { store: createStoreMemoryTool(), associate: createAssociateMemoriesTool() };

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  const call = (name: keyof typeof tools, input: unknown): Promise<ToolResult> =>
    callTool(tools[name], input, service.url);
  const expectRefused = async (name: keyof typeof tools, input: unknown, reason: RegExp): Promise<void> =>
    expectFailed(await call(name, input), reason);

  describe('store_memory', () => {
    it('stores a memory with every field and answers its id', async () => {
      const fields = {
        content: 'Chose PostgreSQL for billing',
        type: 'decision',
        confidence: 0.8,
        tags: ['billing', 'db'],
        importance: 0.9,
        metadata: { by: 'team' },
        timestamp: '2024-01-01T10:00:00Z',
        t_valid: '2024-01-01T10:00:00Z',
        t_invalid: '2999-01-01T00:00:00Z',
        updated_at: '2024-01-02T10:00:00Z',
        last_accessed: '2024-01-03T10:00:00Z',
        embedding: Array.from({ length: 384 }, (_, index) => index / 384),
      };

      const { fields: stored, fullText: all } = await call('store', { ...fields, id: ABSENT_MEMORY_ID });

      expect(all)
        .to.include(`Memory stored successfully!\nMemory ID: ${stored.memory_id}`)
        .and.include('The id you gave was not used');
      expect(stored).to.include({
        message: 'Memory stored successfully',
        type: 'Decision',
        qdrant: 'stored',
        enrichment: 'queued',
      });
      expect(stored.position).to.match(/^[0-9a-f]{8}\.\d+$/u);
      const { embedding: _, type: __, metadata: ___, last_accessed: ____, ...rest } = fields;
      const kept = await read(service, stored.memory_id);
      const utc = (text: string) => text.replace('Z', '+00:00');
      expect(kept).to.deep.include({
        ...rest,
        type: 'Decision',
        timestamp: utc(rest.timestamp),
        t_valid: utc(rest.t_valid),
        t_invalid: utc(rest.t_invalid),
        updated_at: utc(rest.updated_at),
      });
      expect(kept['metadata']).to.include({ by: 'team' });
    });

    it('stores a batch, all or none, and names up to ten ids', async () => {
      const memories = Array.from({ length: 12 }, (_, index) => ({
        content: `Fact ${index}`,
        tags: ['batch-all'],
        type: 'Insight',
        confidence: 0.7,
        importance: 0.6,
        metadata: { index },
        timestamp: '2024-01-01T10:00:00Z',
      }));

      const { fullText: all, fields } = await call('store', { memories });

      expect(all).to.match(/^Stored 12 memories\.\nMemory IDs: (?:\S+, ){9}\S+ and 2 more$/u);
      expect(fields.stored).to.equal(12);
      expect(await idsByTag(service, 'batch-all')).to.have.members(fields.memory_ids);
      await expectRefused(
        'store',
        {
          memories: [
            { content: 'fine', tags: ['batch-none'] },
            { content: 'bad', tags: ['batch-none'], timestamp: 'noon' },
          ],
        },
        /index 1/u,
      );
      expect(await idsByTag(service, 'batch-none')).to.deep.equal([]);
    });

    it('rejects content over 2,000 characters and warns above 500', async () => {
      const content = '𝄞'.repeat(2_000);
      expect((await call('store', { content, tags: ['large'] })).fields).to.include({
        content_length: 2_000,
        size_warning: true,
      });
      expect(
        (
          await call('store', {
            memories: [
              { content: 'short', tags: ['large'] },
              { content: content.slice(0, 1_002), tags: ['large'] },
            ],
          })
        ).fullText,
      ).to.include('Warning: memories[1].content (501 characters)');

      const refused = await call('store', { content: `${content}x`, tags: ['larger'] });
      expect(refused.fields).to.include({ error: 'content_too_large', content_length: 2_001, hard_limit: 2_000 });
      await expectRefused(
        'store',
        {
          memories: [
            { content: 'short', tags: ['larger'] },
            { content: `${content}x`, tags: ['larger'] },
          ],
        },
        /memories\[1\]\.content \(2001 characters\) is over/u,
      );
      expect(
        [await idsByTag(service, 'large'), await idsByTag(service, 'larger')].map(({ length }) => length),
      ).to.deep.equal([3, 0]);
    });

    it('names missing, wrong, unknown and incompatible arguments', async () => {
      for (const [input, reason] of [
        [undefined, /'content' is required/u],
        [{ content: ' ' }, /'content' is required/u],
        [{ content: 5 }, /'content' must be text/u],
        [{ content: 'x', importance: 2 }, /'importance' must be between 0 and 1/u],
        [{ content: 'x', type: 'Banana' }, /'type' must be one of Decision/u],
        [
          { content: 'x', tag: 'a' },
          /'tag' must be left out: it is not known here \(did you mean 'tags'\? known: content, type/u,
        ],
        [
          { memories: [{ content: 'x', embedding: [1] }] },
          /'memories\[0\]\.embedding' must be left out.*known: content/u,
        ],
        [{ memories: [] }, /'memories' must be a non-empty array/u],
        [{ memories: [{ tags: [] }] }, /'memories\[0\]\.content' is required/u],
        [{ memories: Array.from({ length: 501 }, () => ({ content: 'x' })) }, /at most 500 items/u],
        [
          { memories: [{ content: 'x' }], content: 'y', tags: [] },
          /'content', 'tags' cannot be given together with 'memories'/u,
        ],
        [{ content: 'x', embedding: [1] }, /exactly 384 values/u],
        [{ content: 'x', timestamp: 'noon' }, /Invalid ISO timestamp/u],
      ] as const)
        await expectRefused('store', input, reason);
    });

    it('stores once if requests or answers are lost', async () => {
      const front = await openFailingProxy(service.url);
      front.failWhen(() => (front.requests.length < 3 ? 'unanswered' : null));

      const { fields } = await callTool(tools.store, { content: 'Only once', tags: ['once'] }, front.url);

      expect(new Set(front.requests.map(({ idempotencyKey }) => idempotencyKey)).size).to.equal(1);
      expect(await idsByTag(service, 'once')).to.deep.equal([fields.memory_id]);
      await front.close();
    });
  });

  describe('associate_memories', () => {
    it('associates two memories with the properties of the type', async () => {
      const [one, two] = [await store(service), await store(service)];

      const { fullText: all, fields } = await call('associate', {
        memory1_id: ` ${one} `,
        memory2_id: two,
        type: 'prefers_over',
        strength: 0.7,
        reason: 'faster',
        context: 'ci',
      });

      expect(fields).to.include({ success: true, message: all });
      const [relation] = (await read(service, one)).relations as readonly { readonly properties: unknown }[];
      expect(relation).to.deep.include({
        type: 'PREFERS_OVER',
        strength: 0.7,
        properties: { reason: 'faster', context: 'ci' },
      });
      await call('associate', { memory1_id: two, memory2_id: one, type: 'REINFORCES', observations: ['seen'] });
      expect((await read(service, two)).relations).to.have.length(2);
    });

    it('writes the valid pairs of a batch and names the failed ones', async () => {
      const [one, two] = [await store(service), await store(service)];
      const good = { memory1_id: one, memory2_id: two, type: 'PART_OF' };

      const {
        isError,
        fullText: all,
        fields,
      } = await call('associate', {
        associations: [good, { ...good, memory2_id: ABSENT_MEMORY_ID }],
      });

      expect(isError).to.equal(undefined);
      expect(fields).to.include({
        success: false,
        created_count: 1,
        failed_count: 1,
        summary: '1/2 associations created successfully',
      });
      expect(all).to.include('failed: associations[1]: One or both memories do not exist');
      expect(
        (await call('associate', { associations: [{ ...good, memory1_id: ABSENT_MEMORY_ID }] })).fullText,
      ).to.include('None was written.');
      expect((await call('associate', { associations: [good] })).fields).to.deep.include({
        success: true,
        created_count: 1,
        failed: [],
      });
    });

    it('names missing, wrong, unknown and incompatible arguments', async () => {
      const pair = { memory1_id: await store(service), memory2_id: ABSENT_MEMORY_ID, type: 'PART_OF' };
      for (const [input, reason] of [
        [{}, /'memory1_id' is required/u],
        [{ ...pair, type: undefined }, /'type' is required/u],
        [{ ...pair, type: 'SIMILAR_TO' }, /'type' must be one of RELATES_TO/u],
        [{ ...pair, strength: 2 }, /'strength' must be between 0 and 1/u],
        [{ ...pair, weight: 1 }, /'weight' must be left out/u],
        [pair, /One or both memories do not exist\nNothing was written/u],
        [{ ...pair, memory2_id: pair.memory1_id }, /with itself/u],
        [{ ...pair, associations: [pair] }, /'memory1_id', 'memory2_id', 'type' cannot be given together/u],
        [{ associations: [] }, /non-empty/u],
        [{ associations: [{ ...pair, kind: 1 }] }, /'associations\[0\]\.kind' must be left out/u],
      ] as const)
        await expectRefused('associate', input, reason);
    });
  });
});
