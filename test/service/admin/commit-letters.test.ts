/** The admin routes for dead letters of the commit: the same list and redrive as for a projector, and no discard. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

describe('commit dead letters', () => {
  let service: Service;
  let id: number;
  let subject: string;

  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: 'admin-token' } });
    const store = { body: { content: 'A change that the graph cannot apply' } };
    subject = (await service.request('POST', '/memory', store)).body.memory_id as string;
    await service.request('PATCH', `/memory/${subject}`, { body: { importance: 0.9 } });
    await service.engines.deadLetters.add({
      projector: 'commit',
      eventId: '00000000-0000-4000-8000-000000000099',
      subject,
      type: 'memory.stored',
      version: 1,
      position: 1,
      reason: 'timed out',
      attempts: 8,
      at: '2024-01-01T10:00:00.000Z',
    });
    const [letter] = (await admin('GET', '/admin/dead-letters?projector=commit')).body.dead_letters;
    id = letter.id;
  });
  after(() => service.close());

  const admin = (method: string, path: string, body?: unknown) =>
    service.request(method, path, {
      headers: { 'x-admin-token': 'admin-token' },
      ...(body === undefined ? {} : { body }),
    });

  for (const choice of ['ids', 'projector']) {
    it(`refuses a discard by ${choice}, because the event is committed`, async () => {
      const body = choice === 'ids' ? { ids: [id] } : { projector: 'commit' };
      const refused = await admin('POST', '/admin/dead-letters/discard', body);
      expect(refused.status).to.equal(400);
      expect(refused.body.message).to.contain(`Dead letter ${id} of 'commit' is a committed change`);
    });
  }

  it('redrives a letter behind a newer event', async () => {
    const { status, body } = await admin('POST', '/admin/dead-letters/redrive', { projector: 'commit' });
    expect(status).to.equal(202);
    expect(body).to.deep.include({ ids: [id], superseded: [] });
    const [letter] = (await admin('GET', '/admin/dead-letters?projector=commit')).body.dead_letters;
    // Where a command API redrives letters, it may have taken the request already.
    expect(letter).to.include({ id, subject });
  });
});
