/** Deletes the collections of all vector spaces, and with them the alias. */
import { createQdrantClient } from './qdrant-client.js';
import { rethrowOpeningError } from './qdrant-errors.js';
import type { QdrantConfig } from './qdrant-variables.js';

export async function dropQdrantCollections(config: QdrantConfig): Promise<void> {
  const client = createQdrantClient(config);
  const isOwn = (name: string): boolean =>
    name.startsWith(`${config.collection}-`) && /^\d+$/u.test(name.slice(config.collection.length + 1));
  try {
    const { collections } = await client.getCollections();
    for (const { name } of collections) if (isOwn(name)) await client.deleteCollection(name);
  } catch (error) {
    rethrowOpeningError(error);
  }
}
