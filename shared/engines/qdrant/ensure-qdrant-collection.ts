/**
 * Creates and checks the Qdrant collection of a vector space, its payload indexes, and the alias. Several processes may
 * run it at the same time: each step is idempotent and only reads what exists already. Our processes use the collection
 * by the number of its space, not the alias: one that has not noticed a switch yet goes on with the old collection and
 * the old model. The alias is for readers outside the service.
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
  /** Of the vector space. */
  readonly number: number;
  readonly logger: Logger;
};

export function collectionOf({ collection }: Pick<QdrantConfig, 'collection'>, number: number): string {
  return `${collection}-${number}`;
}

/**
 * Returns the dimension of the stored vectors, which differs from `dimension` only if `config` adopts it. Throws
 * ConfigurationError for problems that waiting does not solve, DependencyError('vectors') for all others.
 */
export async function ensureQdrantCollection({
  client,
  config,
  dimension,
  number,
  logger,
}: QdrantCollection): Promise<number> {
  try {
    await checkServer(client);
    const name = collectionOf(config, number);
    const hasAlias = await findAlias(client, config.collection);
    const {
      config: { params },
      payload_schema: schema,
    } = (await findCollection(client, name)) ?? (await create(client, name, dimension));
    const stored = checkedDimension(params.vectors, { config, dimension });
    await createIndexes(client, name, schema);
    if (!hasAlias) await publishQdrantCollection({ client, config, number });
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

/**
 * Returns the dimension of the vectors in the existing collection. Throws as above, and DependencyError without a
 * collection.
 */
export async function findQdrantCollection({
  client,
  config,
  number,
}: Pick<QdrantCollection, 'client' | 'config' | 'number'>): Promise<number> {
  try {
    await checkServer(client);
    const name = collectionOf(config, number);
    const found = await findCollection(client, name);
    if (found === null)
      throw new DependencyError('vectors', `Qdrant has no collection ${name} yet: start the projectors, which make it`);
    const {
      config: { params },
    } = found;
    return storedDimension(params.vectors, config);
  } catch (error) {
    return rethrowOpeningError(error);
  }
}

/** Points the alias to the collection of this space, in one request. */
export async function publishQdrantCollection({
  client,
  config,
  number,
}: Pick<QdrantCollection, 'client' | 'config' | 'number'>): Promise<void> {
  const { collection: alias } = config;
  const hasAlias = await findAlias(client, alias);
  await client.updateCollectionAliases({
    actions: [
      ...(hasAlias ? [{ delete_alias: { alias_name: alias } }] : []),
      { create_alias: { alias_name: alias, collection_name: collectionOf(config, number) } },
    ],
  });
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

/** Throws ConfigurationError where the name of the alias is taken by a collection. */
async function findAlias(client: QdrantClient, alias: string): Promise<boolean> {
  const { aliases } = await client.getAliases();
  if (aliases.some(({ alias_name: name }) => name === alias)) return true;
  const { collections } = await client.getCollections();
  if (collections.some(({ name }) => name === alias)) {
    throw new ConfigurationError([
      `Qdrant has a collection named ${alias} that was made by something else: its points have no versions, so it cannot be written safely. ` +
        'Set QDRANT_COLLECTION to another name, or delete the collection (the vectors are made again from the journal)',
    ]);
  }
  return false;
}

async function findCollection(client: QdrantClient, name: string): Promise<Schemas['CollectionInfo'] | null> {
  return client.getCollection(name).catch((error: unknown) => {
    if (statusOf(error) === 404) return null;
    throw error;
  });
}

async function create(client: QdrantClient, name: string, dimension: number): Promise<Schemas['CollectionInfo']> {
  await client.createCollection(name, { vectors: { size: dimension, distance: 'Cosine' } }).catch((error: unknown) => {
    // another process created it first
    if (statusOf(error) !== 409) throw error;
  });
  return client.getCollection(name);
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
