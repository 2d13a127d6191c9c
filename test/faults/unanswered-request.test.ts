import { expect } from 'chai';
import { startChildService } from '../support/child-service.js';
import { rejection } from '../support/rejection.js';
import { createTempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

describe('a request without a key', function () {
  this.timeout(60_000);

  it('that is repeated because the process died before its answer gets what it stored', async () => {
    const folder = await createTempFolder();
    const memories = Array.from({ length: 400 }, (_, index) => ({
      content: `The ${index}th lantern hangs over the harbour ${index}`,
      tags: ['lost'],
    }));
    const killed = await startChildService({ dataFolder: folder.path });
    const unanswered = rejection(killed.request('POST', '/memory/batch', { body: { memories } }));
    await until(
      'it is committed',
      async () => (await killed.request('GET', '/memory/by-tag?tags=lost&limit=1')).body.count === 1,
    );
    await killed.stop('SIGKILL');
    await unanswered;

    const next = await startChildService({ dataFolder: folder.path, variables: { VECTOR_BATCH_WAIT_MS: '0' } });
    const repeated = await next.request('POST', '/memory/batch', { body: { memories } });
    const { body } = await next.request('DELETE', '/memory/by-tag?tags=lost');
    await next.stop('SIGTERM');
    await folder.remove();

    expect([repeated.status, new Set(repeated.body.memory_ids).size, body.deleted_count]).to.deep.equal([
      201, 400, 400,
    ]);
  });
});
