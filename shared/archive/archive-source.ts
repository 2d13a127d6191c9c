/** What a backup reads. Every read is short, so no snapshot stays open in a database. */
import type { EmbeddingScan } from '../embedding/embedder.js';
import type { JournalReader } from '../journal/journal.js';
import type { JournalIdentity } from '../journal/journal-identity.js';

export type ArchiveSource = {
  readonly journal: Pick<JournalReader, 'read' | 'states' | 'lastOf' | 'head'>;
  readonly identity: Pick<JournalIdentity, 'state'>;
  readonly embeddings: EmbeddingScan;
};
