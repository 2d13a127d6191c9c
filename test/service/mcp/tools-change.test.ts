import { expect } from 'chai';
import { createCheckDatabaseHealthTool } from '../../../deploy/mcp/tools/check-database-health.js';
import { createDeleteMemoryTool } from '../../../deploy/mcp/tools/delete-memory.js';
import { createUpdateMemoryTool } from '../../../deploy/mcp/tools/update-memory.js';
import { callTool, expectFailed, type ToolResult } from '../../support/clients/call-tool.js';
import { startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, idsByTag, read, type Service, store } from '../memories/memory-fixtures.js';

describe('MCP tools', () => {
  let service: Service;
  const tools = {
    update: createUpdateMemoryTool(),
    delete: createDeleteMemoryTool(),
    health: createCheckDatabaseHealthTool(),
  };

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  const call = (name: keyof typeof tools, input: unknown): Promise<ToolResult> =>
    callTool(tools[name], input, service.url);
  const expectRefused = async (name: keyof typeof tools, input: unknown, reason: RegExp): Promise<void> =>
    expectFailed(await call(name, input), reason);

  describe('update_memory', () => {
    it('changes the named fields only', async () => {
      const id = await store(service, { tags: ['kept'], metadata: { a: 1 } });
      const change = {
        content: 'Deploys go by hand',
        importance: 0.2,
        confidence: 0.3,
        type: 'habit',
        metadata: { b: 2 },
        timestamp: '2024-01-01T00:00:00Z',
        t_valid: '2024-01-01T00:00:00Z',
        t_invalid: '2999-01-01T00:00:00Z',
        updated_at: '2024-01-02T00:00:00Z',
        last_accessed: '2024-01-03T00:00:00Z',
      };

      const { fullText: all, fields } = await call('update', { memory_id: ` ${id.toUpperCase()} `, ...change });

      expect(all).to.equal(`Memory ${id} updated successfully!`);
      expect(fields).to.include({ memory_id: id, message: 'Memory updated successfully' });
      const kept = await read(service, id);
      expect(kept).to.deep.include({
        content: change.content,
        importance: 0.2,
        confidence: 0.3,
        type: 'Habit',
        timestamp: '2024-01-01T00:00:00+00:00',
        t_invalid: '2999-01-01T00:00:00+00:00',
      });
      expect(kept['tags']).to.include('kept');
      expect(kept['metadata']).to.include({ b: 2 }).and.not.have.property('a');
    });

    it('removes a field that is null', async () => {
      const id = await store(service, { tags: ['gone'], t_invalid: '2999-01-01T00:00:00Z' });

      await call('update', { memory_id: id, t_invalid: null, tags: null });

      expect(await read(service, id)).not.to.have.property('t_invalid');
      expect(await idsByTag(service, 'gone')).to.deep.equal([]);
    });

    it('rejects content over 2,000 characters and warns above 500', async () => {
      const id = await store(service);

      expect((await call('update', { memory_id: id, content: 'x'.repeat(2_001) })).fields).to.include({
        error: 'content_too_large',
        content_length: 2_001,
      });
      expect((await call('update', { memory_id: id, content: 'x'.repeat(501) })).fields).to.include({
        content_length: 501,
        size_warning: true,
      });
    });

    it('names missing, wrong and unknown arguments', async () => {
      const id = await store(service);
      for (const [input, reason] of [
        [{ importance: 1 }, /'memory_id' is required/u],
        [{ memory_id: id }, /Nothing to change: give at least one of content/u],
        [{ memory_id: 'by-tag', importance: 1 }, /memory_id must be a valid UUID\nNothing was written/u],
        [{ memory_id: ABSENT_MEMORY_ID, importance: 1 }, /not found[\s\S]*recall_memory/iu],
        [{ memory_id: id, importance: 'high' }, /'importance' must be a number/u],
        [{ memory_id: id, embedding: [1] }, /'embedding' must be left out.*known: memory_id/u],
        [{ memory_id: id, timestamp: 'noon' }, /Invalid/u],
        [{ memory_id: id, content: ' ' }, /'content' is required/u],
      ] as const)
        await expectRefused('update', input, reason);
    });
  });

  describe('delete_memory', () => {
    it('deletes one by id and reports an unknown id', async () => {
      const id = await store(service, { tags: ['one'] });

      const { fullText: all, fields } = await call('delete', { memory_id: id });

      expect(all).to.equal(`Memory ${id} deleted successfully!`);
      expect(fields).to.include({ memory_id: id });
      expect(await idsByTag(service, 'one')).to.deep.equal([]);
      await expectRefused('delete', { memory_id: id }, /not found\nNothing was written/iu);
    });

    it('deletes all memories with any of the tags, by whole tags', async () => {
      for (const tags of [['Scratch'], ['other'], ['scratch:kept'], ['a,b']]) await store(service, { tags });

      const { fullText: all, fields, progress } = await call('delete', { tags: ['scratch', 'other'] });

      expect(all).to.equal("Deleted 2 memories with any of the tags 'scratch', 'other'.");
      expect(fields).to.deep.include({ deleted_count: 2, tags: ['scratch', 'other'] });
      expect(progress).to.have.length(1);
      expect(await idsByTag(service, 'scratch:kept')).to.have.length(1);
      expect((await call('delete', { tags: 'a,b' })).fields).to.include({ deleted_count: 1 });
      expect((await call('delete', { tags: ['scratch'] })).fullText).to.include('nothing was deleted');
    });

    it('requires exactly one of memory_id and tags', async () => {
      for (const [input, reason] of [
        [{}, /exactly one of 'memory_id' and 'tags': neither was given/u],
        [{ memory_id: ABSENT_MEMORY_ID, tags: ['x'] }, /both were given/u],
        [{ tags: [] }, /'tags' must be a non-empty array|'tags' must be a list/u],
        [{ tags: ['x', ' '] }, /blank tag/u],
        [{ memory_id: '' }, /valid UUID/u],
        [{ memory_id: ABSENT_MEMORY_ID, id: 1 }, /'id' must be left out/u],
        [{ tags: [1] }, /list of strings/u],
      ] as const)
        await expectRefused('delete', input, reason);
    });
  });

  describe('check_database_health', () => {
    it('reports the state and the counts of the stores', async () => {
      await service.settled();

      const { isError, fullText: all, fields } = await call('health', {});

      expect(isError).to.equal(undefined);
      expect(all).to.match(
        /^Status: healthy\nGraph: connected; vectors: connected\nMemories: \d+; vectors: \d+ \(synced\)/u,
      );
      expect(fields).to.include({ status: 'healthy', backend: 'automem' });
      expect(fields.statistics).to.include({ falkordb: 'connected', qdrant: 'connected', sync_status: 'synced' });
      expect(fields.statistics).to.include.keys(
        'memory_count',
        'vector_count',
        'vector_dimensions',
        'enrichment',
        'graph',
        'timestamp',
        'projectors',
      );
    });

    it('explains the effect of a store that is down', async () => {
      service.breakers.vectors.break();
      try {
        const { fullText: all, fields } = await call('health', {});
        expect(fields).to.include({ status: 'degraded' });
        expect(all).to.include('recall goes by words and tags alone');
      } finally {
        service.breakers.vectors.mend();
      }
    });

    it('takes no arguments', () =>
      expectRefused(
        'health',
        { verbose: true },
        /'verbose' must be left out: it is not known here \(known: nothing is\)/u,
      ));
  });
});
