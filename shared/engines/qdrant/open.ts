/** Gives the ports that Qdrant implements. Nothing is connected before the first call. */
import type { Logger } from '../../kernel/logger.js';
import type { VectorSpace } from '../../ports/vector-spaces.js';
import { openQdrantVectorIndex } from './open-qdrant-vector-index.js';
import { openQdrantVectorReader } from './open-qdrant-vector-reader.js';
import { createQdrantIndexMark } from './qdrant-index-mark.js';
import type { QdrantConfig } from './qdrant-variables.js';
import { createQdrantVectorIndexes } from './qdrant-vector-indexes.js';

/** The methods open one vector space, by its number. */
export type QdrantPorts = ReturnType<typeof qdrantPorts>;

export function qdrantPorts({ config, logger }: { readonly config: QdrantConfig; readonly logger: Logger }) {
  return {
    indexes: createQdrantVectorIndexes({ config, logger }),
    mark: (number: number) => createQdrantIndexMark({ config, number }),
    openReader: (number: number) => openQdrantVectorReader({ config, number }),
    /** Creates the collection if it is absent. `adoptsDimension: false`: a stored dimension that differs is an error. */
    openIndex: (
      { number, dimension }: Pick<VectorSpace, 'number' | 'dimension'>,
      changes: Partial<Pick<QdrantConfig, 'adoptsDimension'>> = {},
    ) => openQdrantVectorIndex({ config: { ...config, ...changes }, number, dimension, logger }),
  };
}

/** The name of this server in messages, without its key. */
export function qdrantPlace({ host, port }: QdrantConfig): string {
  return `Qdrant at ${host}:${port}`;
}
