import { expect } from 'chai';
import { differencesOfFolder } from '../support/checks/compare-deployment.js';
import { rejection } from '../support/checks/rejection.js';
import { until } from '../support/checks/until.js';
import { createTempFolder } from '../support/fixtures/temp-folder.js';
import { startChildService } from '../support/processes/child-service.js';

describe('a request without an Idempotency-Key', () => {
  it('has one effect when it is repeated after a crash', async () => {
    const folder = await createTempFolder();
    const memories = Array.from({ length: 400 }, (_, index) => ({
      content: `The ${index}th lantern hangs over the harbour ${index}`,
      tags: ['lost'],
    }));
    const killed = await startChildService({ dataFolder: folder.path });
    const unanswered = rejection(killed.request('POST', '/memory/batch', { body: { memories } }));
    await until(
      'the batch is committed',
      async () => (await killed.request('GET', '/memory/by-tag?tags=lost&limit=1')).body.count === 1,
    );
    await killed.stop('SIGKILL');
    await unanswered;

    const next = await startChildService({ dataFolder: folder.path, variables: { VECTOR_BATCH_WAIT_MS: '0' } });
    const repeated = await next.request('POST', '/memory/batch', { body: { memories } });
    const { body } = await next.request('DELETE', '/memory/by-tag?tags=lost');
    const differences = await differencesOfFolder(folder.path);
    await next.stop('SIGTERM');
    await folder.remove();

    expect([repeated.status, new Set(repeated.body.memory_ids).size, body.deleted_count]).to.deep.equal([
      201, 400, 400,
    ]);
    expect(differences).to.deep.equal([]);
  });
});
