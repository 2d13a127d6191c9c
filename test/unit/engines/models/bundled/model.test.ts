import { execFile } from 'node:child_process';
import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { BUNDLED_DIMENSION } from '../../../../../shared/engines/models/bundled/bundled-embedder.js';
import { checkFiles, type Model, openModel } from '../../../../../shared/engines/models/bundled/model.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { copyPackage, PACKAGE_FILES } from '../../../../support/fixtures/encoder-package.js';
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
  beforeEach(async () => (folder = await copyPackage()));
  afterEach(() => folder.remove());

  const DAMAGES = [
    ['is missing', (path: string) => rm(path)],
    ['is cut off', (path: string) => truncate(path, 300)],
    ['has other content', (path: string) => writeFile(path, '{}')],
  ] as const;

  for (const file of PACKAGE_FILES)
    for (const [damage, inflict] of DAMAGES)
      it(`is reported with a remedy when ${file} ${damage}`, async () => {
        await inflict(join(folder.path, file));
        const url = pathToFileURL(`${folder.path}/`);
        for (const reading of [openModel({ folder: url }), checkFiles(url)])
          expect((await rejection(reading)).message).to.match(
            /encoder-e5-small-v2 is damaged \(.*`npm ci`.*EMBEDDING_PROVIDER/u,
          );
      });

  it('names the damaged file', async () => {
    await writeFile(join(folder.path, 'centre.json'), '[]');
    expect((await rejection(openModel({ folder: pathToFileURL(`${folder.path}/`) }))).message).to.contain(
      '(centre.json: its SHA-256 is 4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945)',
    );
  });
});
