/** Searches of one request in one procedure, as the hand-over to a reader thread costs more than a search that finds nothing. */
import type { MemoryId } from '../../contract/memory.js';
import { procedure } from '../../sqlite/host.js';
import type { KeywordSearch, MetadataHit, MetadataSearch } from '../graph.js';
import { searchKeyword } from './search-keyword.js';
import { searchMetadata } from './search-metadata.js';

export const searchKeywords = procedure(import.meta.url, 'searchKeywords', (database, searches: readonly KeywordSearch[]): MemoryId[][] =>
  searches.map((search) => searchKeyword.run(database, search)),
);

export const searchMetadatas = procedure(import.meta.url, 'searchMetadatas', (database, searches: readonly MetadataSearch[]): MetadataHit[][] =>
  searches.map((search) => searchMetadata.run(database, search)),
);
