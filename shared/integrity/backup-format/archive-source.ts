/** What a backup reads. Every read is short, so no snapshot stays open in a database. */
import type { EmbeddingScan } from '../../ports/embedder.js';
import type { JournalReader } from '../../ports/journal.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';

export type ArchiveSource = {
  readonly journal: Pick<JournalReader, 'read' | 'states' | 'lastOf' | 'head'>;
  readonly identity: Pick<JournalIdentity, 'state'>;
  readonly embeddings: EmbeddingScan;
};
