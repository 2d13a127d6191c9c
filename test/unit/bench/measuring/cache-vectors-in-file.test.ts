import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cacheVectorsInFile } from '../../../bench/measuring/cache-vectors-in-file.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';
import { createTempFolder, type TempFolder } from '../../../support/fixtures/temp-folder.js';

describe('the vector cache of the benchmarks', () => {
  let folder: TempFolder;
  let file: string;
  beforeEach(async () => {
    folder = await createTempFolder();
    file = join(folder.path, 'vectors.cache');
  });
  afterEach(() => folder.remove());

  it('encodes each text once, also in a later run', async () => {
    const first = createWordHashEmbedder();
    const vectors = await embed(first, ['red fox', 'blue hen', 'red fox']);
    const second = createWordHashEmbedder();
    expect(await embed(second, ['blue hen', 'new', 'red fox'])).to.deep.equal([
      vectors[1],
      ...(await createWordHashEmbedder().embed(['new'], { purpose: 'query' })),
      vectors[0],
    ]);
    expect(first.calls).to.deep.equal([['red fox', 'blue hen']]);
    expect(second.calls).to.deep.equal([['new']]);
  });

  it('encodes a text once for concurrent calls', async () => {
    const embedder = createWordHashEmbedder();
    const cached = await cacheVectorsInFile(embedder, file);
    await Promise.all(['one', 'two', 'one'].map((text) => cached.embed([text], { purpose: 'query' })));
    expect(embedder.calls).to.deep.equal([['one'], ['two']]);
  });

  it('ignores the incomplete line of an interrupted run', async () => {
    await embed(createWordHashEmbedder(), ['red fox']);
    await appendFile(file, (await readFile(file, 'utf8')).slice(0, 90).replace(/^./u, 'x'));
    await embed(createWordHashEmbedder(), ['blue hen']);
    const embedder = createWordHashEmbedder();
    await embed(embedder, ['red fox', 'blue hen']);
    expect(embedder.calls).to.deep.equal([]);
  });

  async function embed(embedder: ReturnType<typeof createWordHashEmbedder>, texts: readonly string[]) {
    return (await cacheVectorsInFile(embedder, file)).embed(texts, { purpose: 'document' });
  }
});
