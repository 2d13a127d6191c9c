/**
 * The embedded service starts with another model of the same size than the one that made its vectors: it never mixes
 * both.
 */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { rejection } from '../../support/checks/rejection.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startEmbedded } from '../../support/processes/service.js';
import { type EmbeddingServer, healthyReply, startEmbeddingServer } from '../../support/servers/embedding-server.js';
import { store } from '../memories/memory-fixtures.js';

const DIMENSION = 16;

describe('start with another model', () => {
  let provider: EmbeddingServer;
  let folder: TempFolder;
  let service: Service | undefined;
  before(async () => {
    provider = await startEmbeddingServer(healthyReply(DIMENSION));
    folder = await createTempFolder();
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });
  after(async () => {
    await provider.close();
    await folder.remove();
  });

  async function start(variables: Readonly<Record<string, string>>): Promise<Service> {
    service = await startEmbedded({ dataFolder: folder.path, variables });
    return service;
  }
  const openAi = (model: string) => ({
    EMBEDDING_PROVIDER: 'openai',
    OPENAI_BASE_URL: provider.url,
    EMBEDDING_MODEL: model,
    VECTOR_SIZE: String(DIMENSION),
  });
  const modelsAsked = () => new Set(provider.requests.splice(0).map(({ body }) => body['model']));

  it('keeps the stored model for points and queries', async () => {
    const first = await start(openAi('first'));
    const id = await store(first, { content: 'The tide table is on the fridge.' });
    await first.settled();
    await first.close();
    modelsAsked();

    const second = await start(openAi('second'));
    // the start probes the configured provider once
    modelsAsked();
    const other = await store(second, { content: 'The spare key is under the pot.' });
    await second.settled();
    const points = await second.engines.vectors.points([id, other] as MemoryId[]);
    expect(points.map(({ model }) => model)).to.deep.equal(Array(2).fill(`openai/first/${DIMENSION}`));
    const { body } = await second.request('GET', '/recall?query=tide%20table%20fridge&limit=1');
    expect(body.results[0].id).to.equal(id);
    expect(modelsAsked()).to.deep.equal(new Set(['first']));
  });

  it('refuses the start when the stored model cannot be opened', async () => {
    const refused = await rejection(start({ EMBEDDING_PROVIDER: 'bundled' }));
    expect(refused).to.have.property('name', 'ConfigurationError');
    expect(refused.message).to.contain(`openai/first/${DIMENSION}`).and.contain('set EMBEDDING_PROVIDER');
  });
});
