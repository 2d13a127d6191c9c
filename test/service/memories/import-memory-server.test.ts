/** `palimpsest import` with the JSONL of MCP's `memory` server, over the HTTP API. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { importRecords } from '../../../deploy/commands/import/import-records.js';
import type { LeftOut } from '../../../deploy/commands/import/send-records.js';
import { createClient } from '../../../shared/client/http-client.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startService } from '../../support/processes/service.js';
import { idsByTag, read, type Service } from './memory-fixtures.js';

const ADMIN = 'admin-token';

describe('memory server import', () => {
  let service: Service;
  let folder: TempFolder;

  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN } });
    folder = await createTempFolder();
  });
  after(async () => {
    await service.close();
    await folder.remove();
  });

  it('stores observations as memories and relations as both, once', async () => {
    const file = join(folder.path, 'memory.json');
    const entries = [
      { type: 'entity', name: 'Alice', entityType: 'person', observations: ['likes tea', 'lives in Bern'] },
      { type: 'entity', name: 'Acme', entityType: 'company', observations: [] },
      { type: 'relation', from: 'Alice', to: 'Acme', relationType: 'part of' },
      { type: 'relation', from: 'Alice', to: 'Acme', relationType: 'works_at' },
      { type: 'relation', from: 'Alice', to: 'Bob', relationType: 'LEADS_TO' },
      { type: 'entity', name: 'broken', entityType: 'person', observations: [7] },
    ];
    await writeFile(file, `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n{cut`);
    const leftOut: LeftOut[] = [];
    const run = () =>
      importRecords({
        file,
        format: 'memory-server',
        client: createClient({ baseUrl: service.url, token: null, adminToken: ADMIN, userAgent: 'test' }),
        batchSize: 2,
        concurrency: 2,
        useVectors: true,
        onLeftOut: (record) => leftOut.push(record),
        onProgress: () => undefined,
      });

    const first = await run();
    const second = await run();

    expect(first.memories).to.deep.equal({ stored: 4, existing: 0, leftOut: 2 });
    expect(first.associations).to.deep.equal({ stored: 1, existing: 0, leftOut: 1 });
    expect(second.memories).to.include({ stored: 0, existing: 4 });
    expect(second.associations).to.include({ stored: 0, existing: 1 });
    expect(leftOut.slice(0, 3)).to.have.deep.members([
      { where: 'line 6', reason: 'The line is no entity and no relation' },
      { where: 'line 7', reason: 'The line is no entity and no relation' },
      { where: 'line 5', reason: 'The file has no entity Bob' },
    ]);
    const memories = await Promise.all((await idsByTag(service, 'alice')).map((id) => read(service, id)));
    expect(memories.map(({ content }) => content)).to.have.members([
      'Alice (person): likes tea',
      'Alice (person): lives in Bern',
      'Alice works at Acme',
    ]);
    const partOf = memories.find(({ relations }) => relations.length > 0);
    expect(partOf).to.deep.include({ content: 'Alice (person): likes tea', tags: ['Alice', 'person'] });
    expect(partOf?.relations[0]).to.deep.include({ type: 'PART_OF' });
  });
});
