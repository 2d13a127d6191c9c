/** A file of the bundled encoder is missing, cut off or another one: the service runs without meaning, and says why. */
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyPackage, nodeOptionsFor } from '../support/fixtures/encoder-package.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';

const DAMAGES = [
  ['model.onnx', 'is missing', (path: string) => rm(path)],
  ['model.onnx', 'is cut off', (path: string) => truncate(path, 1_000_000)],
  ['model.onnx', 'has another hash', (path: string) => writeFile(path, 'version https://git-lfs.github.com/spec/v1\n')],
  ['centre.json', 'has another hash', (path: string) => writeFile(path, JSON.stringify(Array(384).fill(0)))],
] as const;

describe('the service with damaged weights', () => {
  let weights: TempFolder;
  let data: TempFolder;
  let service: ChildService | undefined;
  beforeEach(async () => {
    [weights, data] = await Promise.all([copyPackage(), createTempFolder()]);
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await Promise.all([weights.remove(), data.remove()]);
  });

  for (const [file, damage, inflict] of DAMAGES)
    it(`recalls by words and says what to do when ${file} ${damage}`, async () => {
      await inflict(join(weights.path, file));
      const variables = { NODE_OPTIONS: nodeOptionsFor(weights), RECALL_SOURCE_TIMEOUT_MS: '60000' };
      service = await startChildService({ dataFolder: data.path, variables });
      const stored = await service.request('POST', '/memory', { body: { content: 'The ferry leaves at noon' } });
      expect(stored.status).to.equal(201);

      const { status, body } = await service.request('GET', '/recall?query=ferry');
      expect(status).to.equal(200);
      expect(body.results[0]).to.deep.include({ id: stored.body.memory_id, match_type: 'keyword' });
      expect(body.degraded.map(({ source }: { source: string }) => source)).to.deep.equal(['embedding']);
      for (const text of [body.degraded[0].reason, service.output()])
        expect(text).to.contain(`(${file}: `).and.contain('`npm ci`').and.contain('EMBEDDING_PROVIDER');
      expect((await service.request('GET', '/health')).status).to.equal(200);
    });
});
