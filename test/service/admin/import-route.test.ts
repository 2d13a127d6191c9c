/** POST /admin/import: what it refuses as a whole, and item by item. */
import { expect } from 'chai';
import { archiveId } from '../../support/fixtures/automem-archive.js';
import { type Service, startService } from '../../support/processes/service.js';
import { expectProblem } from '../memories/memory-fixtures.js';

const ADMIN = 'admin-token';

describe('POST /admin/import', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: ADMIN } });
  });
  after(() => service.close());

  const send = (body: object, headers: Record<string, string> = { 'x-admin-token': ADMIN }) =>
    service.request('POST', '/admin/import', { headers, body });

  it('refuses no admin token, no items, and too many items', async () => {
    expect((await send({ memories: [{}] }, {})).status).to.equal(401);
    expectProblem(await send({ memories: [] }), 400, "'memories' or 'associations' must be a non-empty array");
    expectProblem(await send({ memories: {} }), 400, "'memories' must be an array");
    const many = Array.from({ length: 501 }, () => ({}));
    expectProblem(await send({ associations: many }), 400, 'Batch size limit is 500 associations per request');
  });

  it('refuses items alone, with their index, and stores the others', async () => {
    const [first, second, absent] = [archiveId(901), archiveId(902), archiveId(903)];
    const { status, body } = await send({
      memories: [
        { id: first, content: 'kept' },
        { id: 'no-uuid', content: 'a' },
        { id: second, content: 'x'.repeat(2_001) },
        'text',
        { id: second, content: 'kept too' },
        { id: first, content: 'the same id again' },
      ],
      associations: [
        { memory1_id: first, memory2_id: second, type: 'LEADS_TO' },
        { memory1_id: first, memory2_id: absent, type: 'LEADS_TO' },
        { memory1_id: first, memory2_id: second, type: 'KNOWS' },
      ],
    });

    expect(status).to.equal(200);
    expect(body.memories).to.include({ stored: 2, existing: 1 });
    expect(body.memories.refused.map(({ index }: { index: number }) => index)).to.deep.equal([1, 2, 3]);
    expect(body.associations).to.include({ stored: 1, existing: 0 });
    expect(body.associations.refused[0]).to.deep.equal({ index: 1, reason: 'One or both memories do not exist' });
    expect(body.associations.refused[1].reason).to.match(/^Invalid relationship type: KNOWS/u);
  });

  it('refuses a text of a million characters alone, and names its field', async () => {
    const contents = ['before it', 'word '.repeat(200_000), 'after it'];
    const { status, body } = await send({
      memories: contents.map((content, index) => ({ id: archiveId(910 + index), content })),
    });

    expect(status).to.equal(200);
    expect(body.memories).to.include({ stored: 2, existing: 0 });
    expect(body.memories.refused).to.have.length(1);
    expect(body.memories.refused[0].index).to.equal(1);
    expect(body.memories.refused[0].reason).to.match(/^Content exceeds maximum length of 2000 characters/u);
    expect((await service.request('GET', `/memory/${archiveId(911)}`)).status).to.equal(404);
  });
});
