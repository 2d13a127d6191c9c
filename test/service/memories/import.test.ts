import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { importMemories } from '../../../deploy/commands/import/import-memories.js';
import { createClient } from '../../../shared/client/http-client.js';
import { startService } from '../../support/processes/service.js';
import { idsByTag, type Service } from './memory-fixtures.js';

describe('import of a file', () => {
  let service: Service;
  let folder: string;
  let file: string;

  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'import-'));
    file = join(folder, 'memories.jsonl');
  });

  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('stores each line once, also in a second run, and leaves out invalid lines', async () => {
    const lines = Array.from({ length: 25 }, (_, index) =>
      JSON.stringify({ content: `imported ${index}`, type: 'Insight', tags: ['imported'] }),
    );
    lines[3] = JSON.stringify({ content: 'bad', tags: ['imported'], importance: 7 });
    lines[4] = JSON.stringify({ content: 'bounded', tags: ['imported'], t_invalid: '2030-01-01' });
    lines[5] = '{broken';
    await writeFile(file, `${lines.join('\n')}\n`);
    const bad: number[] = [];
    const run = () =>
      importMemories({
        file,
        client: createClient({ baseUrl: service.url, token: null, userAgent: 'test' }),
        batchSize: 10,
        concurrency: 2,
        onProgress: () => undefined,
        onBadLine: ({ number }) => bad.push(number),
      });

    const first = await run();
    const second = await run();

    expect(first).to.include({ stored: 23, leftOut: 2 });
    expect(second).to.include({ stored: 23, leftOut: 2 });
    expect([...new Set(bad)].sort()).to.deep.equal([4, 6]);
    expect(await idsByTag(service, 'imported')).to.have.length(23);
  });
});
