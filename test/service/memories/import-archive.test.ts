/** `palimpsest import` with archives of AutoMem, over the HTTP API. */
import { join } from 'node:path';
import { expect } from 'chai';
import { importRecords } from '../../../deploy/commands/import/import-records.js';
import type { LeftOut } from '../../../deploy/commands/import/send-records.js';
import { createClient } from '../../../shared/client/http-client.js';
import { archiveId, graphPart, memoryNode, vectorPart, writeArchive } from '../../support/fixtures/automem-archive.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startService } from '../../support/processes/service.js';
import { read, type Service } from './memory-fixtures.js';

const ADMIN = 'admin-token';

describe('archive import', () => {
  let service: Service;
  let folder: TempFolder;
  let file: string;
  let leftOut: LeftOut[];

  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN } });
    folder = await createTempFolder();
    file = join(folder.path, 'archive.bin');
  });
  beforeEach(() => (leftOut = []));
  after(async () => {
    await service.close();
    await folder.remove();
  });

  const run = (useVectors = true) =>
    importRecords({
      file,
      format: 'archive',
      client: createClient({ baseUrl: service.url, token: null, adminToken: ADMIN, userAgent: 'test' }),
      batchSize: 3,
      concurrency: 2,
      useVectors,
      onLeftOut: (record) => leftOut.push(record),
      onProgress: () => undefined,
    });

  async function vectorSize(): Promise<number> {
    const { body } = await service.request('GET', '/health');
    return (body as { readonly vector_dimensions: { readonly effective: number } }).vector_dimensions.effective;
  }

  it('keeps ids, fields and associations; skips and counts the rest', async () => {
    const properties = {
      content: 'We chose PostgreSQL over MySQL',
      tags: ['Project/Foo', 'entity:tools:postgresql'],
      type: 'Decision',
      t_invalid: '2030-01-01T00:00:00+00:00',
      metadata: '{"source_id":"chat-7","entities":{"tools":["PostgreSQL"]}}',
      summary: 'PostgreSQL it is',
      relevance_score: 0.25,
      archived: true,
      archived_at: '2024-05-01T00:00:00+00:00',
      // AutoMem accepts a reason in place of `true`.
      protected: 'contract',
    };
    const related = { strength: 0.9, reason: 'newer', updated_at: '2024-04-01T00:00:00+00:00' };
    await writeArchive(file, [
      graphPart(
        [
          memoryNode(1, properties),
          memoryNode(2, { type: 'Banana' }),
          { id: 3, labels: ['Entity'], properties: { id: 'entity:tools:postgresql' } },
          { id: 4, labels: ['Pattern'], properties: { id: 'pattern-Insight-1' } },
          memoryNode(5, { type: 'MetaPattern' }),
          memoryNode(6, { importance: 7 }),
          memoryNode(7, { id: 'no-uuid' }),
        ],
        [
          { source_id: 1, type: 'CONTRADICTS', target_id: 2, properties: related },
          { source_id: 1, type: 'SIMILAR_TO', target_id: 2, properties: { score: 0.9 } },
          { source_id: 1, type: 'EXPLAINS', target_id: 2, properties: {} },
          { source_id: 1, type: 'EXEMPLIFIES', target_id: 4, properties: {} },
          { source_id: 1, type: 'KNOWS', target_id: 2, properties: {} },
          { source_id: 2, type: 'LEADS_TO', target_id: 6, properties: {} },
        ],
      ),
    ]);

    const first = await run();
    const second = await run();

    expect(first.memories).to.deep.equal({ stored: 2, existing: 0, leftOut: 2 });
    expect(first.associations).to.deep.equal({ stored: 1, existing: 0, leftOut: 1 });
    expect(first.leftOut).to.equal(4);
    expect(leftOut.slice(0, 3).map(({ where }) => where)).to.have.members([
      `node 6 (${archiveId(6)})`,
      'node 7 (no-uuid)',
      'relationship 6',
    ]);
    expect(first.notes).to.deep.equal([
      '3 skipped, nodes that are not memories or are derived: 1 Entity, 1 MetaMemory, 1 Pattern.',
      '2 skipped, associations that the service derives again: 1 EXPLAINS, 1 SIMILAR_TO.',
      '1 skipped, associations with an end that is not a memory of the archive: 1 EXEMPLIFIES.',
      '1 left out, associations of types that the service does not know: 1 KNOWS.',
      '1 memories have a type that the service does not know: classified by content.',
      'Vectors: the archive has none; all memories are embedded again.',
    ]);
    expect(second.memories).to.deep.equal({ stored: 0, existing: 2, leftOut: 2 });
    expect(second.associations).to.deep.equal({ stored: 0, existing: 1, leftOut: 1 });

    const memory = await read(service, archiveId(1));
    expect(memory).to.deep.include({
      ...properties,
      protected: true,
      protected_reason: 'contract',
      id: archiveId(1),
      importance: 0.7,
      confidence: 0.8,
      metadata: { source_id: 'chat-7', entities: { tools: ['PostgreSQL'] } },
      timestamp: '2024-03-01T10:00:00+00:00',
      t_valid: '2024-03-01T10:00:00+00:00',
      updated_at: '2024-03-02T10:00:00+00:00',
      enriched: false,
      processed: false,
    });
    expect(memory.relations).to.have.length(1);
    expect(memory.relations[0]).to.deep.include({ type: 'CONTRADICTS', strength: 0.9 });
  });

  it('does not bring back a memory that was deleted after the import', async () => {
    await writeArchive(file, [graphPart([memoryNode(20)])]);
    await run();
    await service.request('DELETE', `/memory/${archiveId(20)}`);

    const { memories } = await run();

    expect(memories).to.deep.equal({ stored: 0, existing: 1, leftOut: 0 });
    expect((await service.request('GET', `/memory/${archiveId(20)}`)).status).to.equal(404);
  });

  it('uses vectors of the right size and embeds the others again', async () => {
    const size = await vectorSize();
    const vector = Array.from({ length: size }, (_, index) => Math.sin(index + 1));
    const placeholder = vector.map(Math.abs);
    await writeArchive(file, [
      vectorPart([
        { id: archiveId(30), vector, payload: {} },
        { id: archiveId(31), vector: vector.slice(1), payload: {} },
        { id: archiveId(32), vector: placeholder, payload: {} },
      ]),
      graphPart([memoryNode(30), memoryNode(31), memoryNode(32)]),
    ]);

    const { memories, notes } = await run();

    expect(memories).to.deep.equal({ stored: 3, existing: 0, leftOut: 0 });
    expect(notes).to.deep.equal([
      `Vectors: 1 of the archive used; 2 memories are embedded again (1 vectors have ${size - 1} numbers, and the service's have ${size}; 1 are placeholders).`,
    ]);
    await service.settled();
    const { body } = await service.request('GET', `/recall?embedding=${vector.join(',')}&limit=1`);
    const [best] = (body as { readonly results: readonly { readonly id: string; readonly match_score: number }[] })
      .results;
    expect(best?.id).to.equal(archiveId(30));
    expect((await run(false)).notes).to.deep.equal(['Vectors: not used; all memories are embedded again.']);
  });

  it('names the admin token when the service refuses the import without one', async () => {
    await writeArchive(file, [graphPart([memoryNode(40)])]);
    const client = createClient({ baseUrl: service.url, token: null, userAgent: 'test' });
    const started = importRecords({
      file,
      format: 'archive',
      client,
      batchSize: 3,
      concurrency: 1,
      useVectors: true,
      onLeftOut: () => undefined,
      onProgress: () => undefined,
    });

    const error = await started.catch((thrown: unknown) => thrown);

    expect(error).to.have.property('message').that.includes('--admin-token or ADMIN_API_TOKEN');
  });
});
