/** A client that reads its backup slowly: the service reads no more than a few parts ahead, and writes go on. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { PART_BYTES } from '../../../shared/integrity/backup-format/archive-format.js';
import type { CacheEntry } from '../../../shared/ports/embedder.js';
import { until } from '../../support/checks/until.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-secret';
/** Without a read for so long, the service waits for its client. */
const QUIET_MS = 500;
const VECTOR_BYTES = 400_000;
const VECTORS = 5;
/**
 * What the service may read while its client reads nothing: the buffers of both sockets, the compression and two parts.
 */
const PARTS_AHEAD = 8;

describe('backup of a slow client', () => {
  let service: Service;
  let readBytes = 0;
  let lastReadAt = 0;

  before(async () => {
    service = await startService({
      variables: { ADMIN_API_TOKEN: ADMIN },
      alter: (engines) => ({
        ...engines,
        archive: { ...engines.archive, embeddings: { scan: () => Promise.resolve(endlessPage()) } },
      }),
    });
  });
  after(() => service.close());

  function endlessPage(): readonly CacheEntry[] {
    lastReadAt = performance.now();
    readBytes += VECTORS * VECTOR_BYTES;
    const vector = new Float32Array(Uint8Array.from(randomBytes(VECTOR_BYTES)).buffer);
    return Array.from({ length: VECTORS }, () => ({ ref: 'endless:1', memoryId: memoryId(1), vector }));
  }
  const isQuiet = (): boolean => performance.now() - lastReadAt > QUIET_MS;

  it('reads a few parts ahead, and writes go on', async function () {
    this.timeout(60_000); // compresses some ten MiB, on a busy machine too
    const hangUp = new AbortController();
    const { body } = await fetch(`${service.url}/backup?include=qdrant`, {
      headers: { 'x-admin-token': ADMIN },
      signal: hangUp.signal,
    });
    if (body === null) throw new Error('The backup has no body');
    const reader = body.getReader();
    try {
      await reader.read();
      await until('the service waits for its client', isQuiet);
      expect(readBytes).to.be.below(PARTS_AHEAD * PART_BYTES);
      const { status } = await service.request('POST', '/memory', { body: { content: 'Stored meanwhile' } });
      expect(status).to.equal(201);
      const before = readBytes;
      for (let taken = 0; taken < (PARTS_AHEAD + 1) * PART_BYTES;) taken += (await reader.read()).value?.length ?? 0;
      expect(readBytes, 'the backup goes on').to.be.greaterThan(before);
      await until('the service waits again', isQuiet);
    } finally {
      hangUp.abort();
    }
  });
});
