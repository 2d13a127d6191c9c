/**
 * The mark of the index in Qdrant: a point without a vector, in the form of a removed memory, so that no search and no
 * count includes it. Its id is the number 0, and memories have UUIDs. The guard of the write is evaluated by Qdrant, so
 * indexers need no order among themselves.
 */
import type { Schemas } from '@qdrant/js-client-rest';
import type { JournalMark } from '../../contract/envelope.js';
import type { IndexMark } from '../../ports/index-mark.js';
import { collectionOf } from './ensure-qdrant-collection.js';
import { createQdrantClient } from './qdrant-client.js';
import { rethrowReadError, statusOf } from './qdrant-errors.js';
import { tombstonePayload } from './qdrant-payload.js';
import type { QdrantConfig } from './qdrant-variables.js';

const MARK_ID = 0;

export function createQdrantIndexMark({
  config,
  number,
}: {
  readonly config: QdrantConfig;
  /** Of the vector space. */
  readonly number: number;
}): IndexMark {
  const client = createQdrantClient(config);
  const collection = collectionOf(config, number);
  return {
    read: async () => {
      const points = await client
        .retrieve(collection, { ids: [MARK_ID], with_payload: true })
        .catch((error: unknown) => (statusOf(error) === 404 ? [] : rethrowReadError(error)));
      return markIn(points[0]?.payload);
    },
    advance: async ({ journalId, position, eventId }) => {
      const payload = { ...tombstonePayload(position), journal_id: journalId, event_id: eventId };
      const isEarlier = { key: 'version', range: { lt: position } };
      const isSameJournal = { key: 'journal_id', match: { value: journalId } };
      const upsert = {
        points: [{ id: MARK_ID, vector: {}, payload }],
        update_filter: { must: [isEarlier, isSameJournal] },
      };
      // a Qdrant that was killed may lose a move, as `notNewerThan` explains: the next move makes up for it
      // a failed move may have reached Qdrant: moving again changes nothing, so the outcome need not be known
      await client.batchUpdate(collection, { wait: true, operations: [{ upsert }] }).catch(rethrowReadError);
    },
  };
}

function markIn(payload: Schemas['Record']['payload']): JournalMark | null {
  if (typeof payload?.['journal_id'] !== 'string') return null;
  return {
    journalId: payload['journal_id'],
    position: Number(payload['version']),
    eventId: String(payload['event_id']),
  };
}
