import { execFile } from 'node:child_process';
import { copyFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { BUNDLED_DIMENSION } from '../../../../../shared/engines/models/bundled/bundled-embedder.js';
import { type Model, openModel } from '../../../../../shared/engines/models/bundled/model.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { createTempFolder, type TempFolder } from '../../../../support/fixtures/temp-folder.js';

const run = promisify(execFile);

describe('the bundled model', () => {
  let model: Model;
  before(async () => (model = await openModel()));

  const similarity = async (question: string, text: string): Promise<number> => {
    const [query, passage] = [
      await model.encode(question, { isQuery: true }),
      await model.encode(text, { isQuery: false }),
    ];
    return query.reduce((sum, value, index) => sum + value * (passage[index] ?? 0), 0);
  };

  it('finds a text by its meaning, without a word in common', async () => {
    const question = 'Where is the database hosted?';
    const answer = await similarity(question, 'Postgres runs on a machine in Frankfurt.');
    expect(answer).to.be.above(await similarity(question, 'Marianne likes strawberry cake.'));
  });

  it('encodes a question in another way than a text', async () => {
    const [query, passage] = [
      await model.encode('dark mode', { isQuery: true }),
      await model.encode('dark mode', { isQuery: false }),
    ];
    expect([...query]).to.not.deep.equal([...passage]);
  });

  it('makes a vector of unit length of any text', async () => {
    const odd = ['', 'x', ' \n', '😀', 'a \ud83d b', '日本語'.repeat(2_000), 'x'.repeat(100_000), '\0'];
    for (const text of odd) {
      const vector = await model.encode(text, { isQuery: false });
      expect(vector).to.have.length(BUNDLED_DIMENSION);
      expect(Math.hypot(...vector)).to.be.closeTo(1, 1e-5);
    }
  });
});

describe('the runtime of the bundled model, which has telemetry', () => {
  let folder: TempFolder;
  beforeEach(async () => (folder = await createTempFolder()));
  afterEach(() => folder.remove());

  it('writes nothing into the home folder', async () => {
    const module = new URL('../../../../../shared/engines/models/bundled/model.js', import.meta.url).href;
    const script = `const { encode } = await (await import('${module}')).openModel(); await encode('x', { isQuery: true });`;
    const { HOME: _own, XDG_CACHE_HOME: _cache, ...environment } = process.env;
    await run(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...environment, HOME: folder.path, ORT_DISABLE_TELEMETRY: undefined },
    });
    expect(await readdir(folder.path)).to.deep.equal([]);
  });
});

describe('a damaged package of the bundled model', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder();
    for (const file of ['model.onnx', 'tokenizer.json', 'centre.json', 'checksums.json'])
      await copyFile(new URL(import.meta.resolve(`@palimpsest/encoder-e5-small-v2/${file}`)), join(folder.path, file));
  });
  afterEach(() => folder.remove());

  const problem = async (): Promise<string> =>
    (await rejection(openModel({ folder: pathToFileURL(`${folder.path}/`) }))).message;

  it('says that a file is missing, and what to do', async () => {
    await rm(join(folder.path, 'model.onnx'));
    expect(await problem())
      .to.contain('model.onnx')
      .and.contain('npm ci')
      .and.contain('EMBEDDING_PROVIDER');
  });

  it('says that the weights are cut off, and what to do', async () => {
    await truncate(join(folder.path, 'model.onnx'), 1_000_000);
    expect(await problem())
      .to.contain('model.onnx')
      .and.contain('damaged')
      .and.contain('npm ci');
  });

  it('says that the weights are of another hash', async () => {
    await writeFile(join(folder.path, 'model.onnx'), 'version https://git-lfs.github.com/spec/v1\n');
    expect(await problem()).to.contain('damaged');
  });
});
