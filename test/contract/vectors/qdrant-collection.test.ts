/** How a process finds or creates its Qdrant collection. Needs a real Qdrant. */
import { expect } from 'chai';
import { createQdrantVectorIndexes, openQdrantVectorReader } from '../../../shared/engines/qdrant/open.js';
import { openQdrantVectorIndex } from '../../../shared/engines/qdrant/open-qdrant-vector-index.js';
import { createQdrantClient } from '../../../shared/engines/qdrant/qdrant-client.js';
import { INDEXES } from '../../../shared/engines/qdrant/qdrant-payload.js';
import type { QdrantConfig } from '../../../shared/engines/qdrant/qdrant-variables.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { type Logger, silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import { filter, point } from '../../support/fixtures/points.js';
import { dropCollections, openQdrantIndex, qdrantTestConfig } from '../../support/servers/qdrant.js';
import { isServerWanted } from '../../support/servers/servers.js';

const X = Float32Array.of(1, 0, 0);

if (isServerWanted('qdrant')) {
  describe('Qdrant collection', () => {
    let config: QdrantConfig;
    let client: ReturnType<typeof createQdrantClient>;
    beforeEach(() => {
      config = qdrantTestConfig();
      client = createQdrantClient(config);
    });
    afterEach(() => dropCollections(config));

    const aliasTarget = async (): Promise<string | undefined> =>
      (await client.getAliases()).aliases.find(({ alias_name: name }) => name === config.collection)?.collection_name;
    const indexed = async (): Promise<object> =>
      Object.fromEntries(
        Object.entries((await client.getCollection(config.collection)).payload_schema).map(([field, index]) => [
          field,
          index?.data_type,
        ]),
      );

    it('is created once by ten concurrent opens, with an alias and all indexes', async () => {
      const indexes = await Promise.all(Array.from({ length: 10 }, () => openQdrantIndex(config)));
      await Promise.all(indexes.map((index, number) => index.upsert([point(number)])));
      expect(await indexes[0]?.count({ excludedTypes: [] })).to.equal(10);
      expect(await aliasTarget()).to.equal(`${config.collection}-1`);
      expect(await indexed()).to.deep.equal(INDEXES);
    });

    it('is completed after an interrupted start', async () => {
      await client.createCollection(`${config.collection}-1`, { vectors: { size: 3, distance: 'Cosine' } });
      await client.createPayloadIndex(`${config.collection}-1`, {
        field_name: 'type',
        field_schema: 'keyword',
        wait: true,
      });
      await openQdrantIndex(config);
      expect(await aliasTarget()).to.equal(`${config.collection}-1`);
      expect(await indexed()).to.deep.equal(INDEXES);
    });

    it('is made again by the next writes after it was dropped', async () => {
      const indexes = await Promise.all([openQdrantIndex(config), openQdrantIndex(config)]);
      await indexes[0]?.upsert([point(1)]);
      await dropCollections(config);
      expect(await rejection(indexes[0]?.ping() ?? Promise.resolve())).to.be.instanceOf(DependencyError);
      await Promise.all(indexes.map((index, number) => index.upsert([point(2 + number)])));
      expect(await indexes[0]?.count({ excludedTypes: [] })).to.equal(2);
      expect(await aliasTarget()).to.equal(`${config.collection}-1`);
      expect(await indexed()).to.deep.equal(INDEXES);
    });

    it('is asked by its number, whatever the alias names', async () => {
      const index = await openQdrantIndex(config);
      await index.upsert([point(1)]);
      const indexes = createQdrantVectorIndexes({ config, logger: silentLogger });
      await indexes.openStore({ number: 2, dimension: 3 });
      await indexes.publish(2);
      expect(await aliasTarget()).to.equal(`${config.collection}-2`);
      expect(await index.count({ excludedTypes: [] })).to.equal(1);
      await openQdrantIndex(config);
      expect(await aliasTarget()).to.equal(`${config.collection}-2`);
    });

    it('is rejected for another vector size, with the variable to set', async () => {
      await openQdrantIndex(config);
      const error = await rejection(openQdrantIndex(config, 4));
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(error.message).to.contain('VECTOR_SIZE=3').and.contain('asks for 4').and.contain(config.collection);
    });

    it('is adopted with a warning for another vector size, if configured', async () => {
      await (await openQdrantIndex(config)).upsert([point(1)]);
      const warnings: object[] = [];
      const logger: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };
      const adopted = await openQdrantVectorIndex({
        config: { ...config, adoptsDimension: true },
        dimension: 4,
        number: 1,
        logger,
      });
      expect(adopted.dimension).to.equal(3);
      expect(await adopted.search({ vector: X, limit: 5, filter: filter() })).to.have.length(1);
      const refused = await rejection(
        adopted.search({ vector: Float32Array.of(1, 0, 0, 0), limit: 5, filter: filter() }),
      );
      expect(refused.message).to.equal('Embedding must contain exactly 3 values');
      expect(warnings).to.deep.equal([{ collection: config.collection, stored: 3, asked: 4 }]);
    });

    it('is opened by a reader at its stored size, and never created by a reader', async () => {
      const early = await rejection(openQdrantVectorReader({ config, number: 1 }));
      expect(early).to.be.instanceOf(DependencyError);
      expect(early.message).to.equal(
        `Qdrant has no collection ${config.collection}-1 yet: start the projectors, which make it`,
      );
      expect(await aliasTarget()).to.equal(undefined);
      await (await openQdrantIndex(config)).upsert([point(1)]);
      const reader = await openQdrantVectorReader({ config, number: 1 });
      expect(reader.dimension).to.equal(3);
      expect(await reader.search({ vector: X, limit: 5, filter: filter() })).to.have.length(1);
    });

    it('is rejected under the name of the alias, or without cosine distance', async () => {
      await client.createCollection(config.collection, { vectors: { size: 3, distance: 'Cosine' } });
      const plain = await rejection(openQdrantIndex(config));
      expect(plain).to.be.instanceOf(ConfigurationError);
      expect(plain.message).to.contain('QDRANT_COLLECTION').and.contain('made by something else');
      await client.deleteCollection(config.collection);
      await client.createCollection(`${config.collection}-1`, { vectors: { size: 3, distance: 'Dot' } });
      const other = await rejection(openQdrantIndex(config));
      expect(other).to.be.instanceOf(ConfigurationError);
      expect(other.message).to.contain('cosine');
    });
  });
}
