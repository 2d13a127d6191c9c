import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { openAutomemArchive } from '../../../../deploy/commands/import/automem/automem-source.js';
import { readValues } from '../../../../deploy/commands/import/automem/read-members.js';
import { recognizeFile } from '../../../../deploy/commands/import/import-records.js';
import {
  archiveId,
  graphPart,
  memoryNode,
  vectorPart,
  writeArchive,
} from '../../../support/fixtures/automem-archive.js';
import { createTempFolder, type TempFolder } from '../../../support/fixtures/temp-folder.js';

describe('openAutomemArchive', () => {
  let folder: TempFolder;
  let file: string;

  before(async () => {
    folder = await createTempFolder();
    file = join(folder.path, 'archive');
  });
  after(() => folder.remove());

  async function refusal(): Promise<string> {
    const thrown: unknown = await openAutomemArchive(file, 3).catch((error: unknown) => error);
    expect(thrown).to.have.property('name', 'ArchiveError');
    return (thrown as Error).message;
  }

  it('refuses an archive that is cut off, at every position', async () => {
    await writeArchive(file, [graphPart(Array.from({ length: 50 }, (_, number) => memoryNode(number)))]);
    const whole = await readFile(file);

    for (const share of [0.01, 0.3, 0.6, 0.9, 0.999]) {
      await writeFile(file, whole.subarray(0, Math.floor(whole.length * share)));
      expect(await refusal(), `${share}`).to.include('cut off before its end');
    }
  });

  it('refuses a part that is cut off inside a whole archive', async () => {
    const { name, body } = graphPart([memoryNode(1)]);
    await writeArchive(file, [{ name, body: body.subarray(0, body.length - 20) }]);
    expect(await refusal()).to.equal('A part of the archive is cut off before its end');

    await writeArchive(file, [{ name, body: gzipSync('{"nodes":[{"id":1,"labels":["Memory"],"properties":{}}') }]);
    expect(await refusal()).to.equal('The JSON in a part of the archive is cut off before its end');
  });

  it('names the members of a foreign archive, and the missing part', async () => {
    await writeArchive(file, [{ name: 'manifest.json', body: Buffer.from('{}') }]);
    expect(await refusal())
      .to.include('no part falkordb/')
      .and.to.include('Found: manifest.json');

    await writeArchive(file, [vectorPart([])]);
    expect(await refusal()).to.include('Found: qdrant/qdrant_*.json.gz');
  });

  it('refuses gzip without tar, parts without counts, and counts that differ', async () => {
    await writeFile(file, gzipSync('{"content":"a line of text that is no tar archive"}'.repeat(20)));
    expect(await refusal()).to.include('is not a tar archive');

    const { name } = graphPart([]);
    await writeArchive(file, [{ name, body: gzipSync('{"nodes":[],"relationships":[]}') }]);
    expect(await refusal()).to.include('it has no stats');

    await writeArchive(file, [
      { name, body: gzipSync('{"nodes":[],"stats":{"node_count":2,"relationship_count":0}}') },
    ]);
    expect(await refusal()).to.include('node_count is 2, and it has 0');
  });

  it('reads vectors of the given size, in either order of the parts', async () => {
    const points = [{ id: archiveId(1), vector: [1, -2, 3], payload: {} }];
    for (const parts of [
      [graphPart([memoryNode(1), memoryNode(2)]), vectorPart(points)],
      [vectorPart(points), graphPart([memoryNode(1), memoryNode(2)])],
    ]) {
      await writeArchive(file, parts);
      const source = await openAutomemArchive(file, 3);
      const embeddings: unknown[] = [];
      for await (const record of source.memories()) embeddings.push('item' in record && record.item['embedding']);
      await source.close();
      expect(embeddings).to.deep.equal([[1, -2, 3], undefined]);
    }
  });

  it('refuses a value above the limit without keeping it', async () => {
    let bytes = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"nodes":[{"id":"');
      for (; ; bytes += 1024) yield Buffer.alloc(1024, 'x');
    }

    const reading = (async () => {
      for await (const value of readValues(endless(), ['nodes'], 64 * 1024)) expect(value).to.equal(undefined);
    })();

    expect(await reading.catch((error: unknown) => error)).to.have.property('name', 'ArchiveError');
    expect(bytes).to.be.at.most(64 * 1024);
  });

  it('recognizes the format by the content', async () => {
    const formats: string[] = [];
    await writeArchive(file, [graphPart([])]);
    formats.push(await recognizeFile(file));
    for (const text of [
      '\n{cut\n{"type":"entity","name":"A","entityType":"","observations":[]}',
      '{"type":"relation","from":"A","to":"B","relationType":"knows"}',
      '{"content":"a","type":"entity"}',
      '',
    ]) {
      await writeFile(file, text);
      formats.push(await recognizeFile(file));
    }
    expect(formats).to.deep.equal(['archive', 'memory-server', 'memory-server', 'lines', 'lines']);
  });
});
