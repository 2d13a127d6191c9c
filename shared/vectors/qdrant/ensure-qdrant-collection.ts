/**
 * Creates and checks the Qdrant collection: an alias, the collection behind it, and its payload indexes. Several processes may run it at the
 * same time: each step is idempotent and only reads what exists already. Searches and writes use the alias, so that a rebuild can switch it.
 */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { ConfigurationError } from '../../kernel/config/config.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { rethrowOpeningError, statusOf } from './qdrant-errors.js';
import { INDEXES } from './qdrant-payload.js';
import type { QdrantConfig } from './qdrant-variables.js';

/** The first version with `update_filter`; earlier versions silently ignore the guard of every write. */
const OLDEST_SERVER = [1, 16] as const;

export type QdrantCollection = {
  readonly client: QdrantClient;
  readonly config: QdrantConfig;
  readonly dimension: number;
  readonly logger: Logger;
};

/**
 * Returns the dimension of the stored vectors, which differs from `dimension` only if `config` adopts it. Throws ConfigurationError for
 * problems that waiting does not solve, DependencyError('vectors') for all others.
 */
export async function ensureQdrantCollection({ client, config, dimension, logger }: QdrantCollection): Promise<number> {
  try {
    await checkServer(client);
    const target = await collectionBehind(client, config.collection);
    const name = target ?? (await createFirst(client, config.collection, dimension));
    const {
      config: { params },
      payload_schema: schema,
    } = await client.getCollection(name);
    const stored = checkedDimension(params.vectors, { config, dimension });
    await createIndexes(client, name, schema);
    if (target === null) await createAlias(client, config.collection, name);
    if (stored !== dimension) {
      logger.warn(
        { collection: config.collection, stored, asked: dimension },
        'stored vectors have another size than configured: using the stored size',
      );
    }
    return stored;
  } catch (error) {
    return rethrowOpeningError(error);
  }
}

/** Returns the dimension of the vectors in the existing collection. Throws as above, and DependencyError without a collection. */
export async function findQdrantCollection({
  client,
  config,
}: Pick<QdrantCollection, 'client' | 'config'>): Promise<number> {
  try {
    await checkServer(client);
    const name = await collectionBehind(client, config.collection);
    if (name === null)
      throw new DependencyError(
        'vectors',
        `Qdrant has no collection ${config.collection} yet: start the projectors, which make it`,
      );
    const {
      config: { params },
    } = await client.getCollection(name);
    return storedDimension(params.vectors, config);
  } catch (error) {
    return rethrowOpeningError(error);
  }
}

async function checkServer(client: QdrantClient): Promise<void> {
  const { version } = await client.versionInfo();
  const [major = NaN, minor = NaN] = version.split('.').map(Number);
  const isOlder = major < OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor < OLDEST_SERVER[1]);
  if (isOlder)
    throw new ConfigurationError([
      `Qdrant is version ${version}, which cannot guard a write by a version: run ${OLDEST_SERVER.join('.')} or newer`,
    ]);
}

/** The collection behind the alias; null when there is no alias yet. */
async function collectionBehind(client: QdrantClient, alias: string): Promise<string | null> {
  const { aliases } = await client.getAliases();
  const found = aliases.find(({ alias_name: name }) => name === alias);
  if (found) return found.collection_name;
  const { collections } = await client.getCollections();
  if (collections.some(({ name }) => name === alias)) {
    throw new ConfigurationError([
      `Qdrant has a collection named ${alias} that was made by something else: its points have no versions, so it cannot be written safely. ` +
        'Set QDRANT_COLLECTION to another name, or delete the collection (the vectors are made again from the journal)',
    ]);
  }
  return null;
}

async function createFirst(client: QdrantClient, alias: string, dimension: number): Promise<string> {
  const name = `${alias}-1`;
  await client.createCollection(name, { vectors: { size: dimension, distance: 'Cosine' } }).catch((error: unknown) => {
    // another process created it first, or an earlier start ended before it created the alias
    if (statusOf(error) !== 409) throw error;
  });
  return name;
}

async function createAlias(client: QdrantClient, alias: string, collection: string): Promise<void> {
  await client.updateCollectionAliases({
    actions: [{ create_alias: { alias_name: alias, collection_name: collection } }],
  });
}

type Vectors = Schemas['CollectionParams']['vectors'];

function checkedDimension(
  vectors: Vectors,
  { config, dimension }: Pick<QdrantCollection, 'config' | 'dimension'>,
): number {
  const size = storedDimension(vectors, config);
  if (size !== dimension && !config.adoptsDimension) {
    throw new ConfigurationError([
      `the vectors in the Qdrant collection ${config.collection} have ${size} values, but VECTOR_SIZE or the embedding provider asks for ${dimension}: ` +
        `set VECTOR_SIZE=${size} and EMBEDDING_PROVIDER to the one that made them, or QDRANT_COLLECTION to another name`,
    ]);
  }
  return size;
}

function storedDimension(vectors: Vectors, { collection }: Pick<QdrantConfig, 'collection'>): number {
  const { size, distance } = { size: undefined, distance: undefined, ...vectors };
  if (typeof size === 'number' && distance === 'Cosine') return size;
  throw new ConfigurationError([
    `the Qdrant collection ${collection} does not hold one vector a point, compared by cosine: set QDRANT_COLLECTION to another name, or delete the collection`,
  ]);
}

async function createIndexes(
  client: QdrantClient,
  collection: string,
  schema: Schemas['CollectionInfo']['payload_schema'],
): Promise<void> {
  for (const [field, type] of Object.entries(INDEXES)) {
    if (schema[field]?.data_type !== type)
      await client.createPayloadIndex(collection, { field_name: field, field_schema: type, wait: true });
  }
}
