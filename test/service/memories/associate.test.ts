import { expect } from 'chai';
import { startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, expectProblem, read, type Service, store } from './memory-fixtures.js';

describe('POST /associate', () => {
  let service: Service;
  let one: string;
  let two: string;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  beforeEach(async () => {
    [one, two] = await Promise.all([store(service), store(service)]);
  });

  const post = (body: unknown) => service.request('POST', '/associate', { body });

  it('associates two memories and lists the association at both', async () => {
    const { status, body } = await post({
      memory1_id: one,
      memory2_id: two,
      type: 'prefers_over',
      strength: 0.8,
      reason: 'simpler',
      properties: { context: 'ops' },
    });

    expect(status).to.equal(201);
    expect(body).to.deep.equal({
      status: 'success',
      message: `Association created between ${one} and ${two}`,
      relation_type: 'PREFERS_OVER',
      strength: 0.8,
      reason: 'simpler',
      context: 'ops',
    });
    const [outgoing] = (await read(service, one)).relations;
    const [incoming] = (await read(service, two)).relations;
    expect(outgoing)
      .to.include({ type: 'PREFERS_OVER', direction: 'outgoing', strength: 0.8 })
      .and.to.have.nested.property('memory.id', two);
    expect(incoming)
      .to.include({ type: 'PREFERS_OVER', direction: 'incoming' })
      .and.to.have.nested.property('memory.id', one);
  });

  it('upserts one association and keeps the last strength', async () => {
    const pair = { memory1_id: one, memory2_id: two, type: 'LEADS_TO' };
    await post({ ...pair, strength: 0.9 });

    await post(pair);

    const { relations } = await read(service, one);
    expect(relations).to.have.length(1);
    expect(relations[0]).to.include({ strength: 0.5 });
  });

  it('checks the fields in the order of the contract', async () => {
    const toAbsentMemory = { memory1_id: one, memory2_id: ABSENT_MEMORY_ID };
    expectProblem(await post({}), 400, 'Missing required field: memory1_id');
    expectProblem(await post({ memory1_id: one }), 400, 'Missing required field: memory2_id');
    expectProblem(await post({ memory1_id: one, memory2_id: one }), 400, 'Missing required field: type');
    expectProblem(
      await post({ memory1_id: one, memory2_id: one, type: 'X' }),
      400,
      'Cannot associate a memory with itself',
    );
    expectProblem(
      await post({ ...toAbsentMemory, type: 'SIMILAR_TO', strength: 5 }),
      400,
      /^Invalid relationship type: SIMILAR_TO\. Must be one of: /u,
    );
    expectProblem(
      await post({ ...toAbsentMemory, type: 'PART_OF', strength: 5 }),
      400,
      "'strength' must be between 0 and 1",
    );
    expectProblem(await post({ ...toAbsentMemory, type: 'PART_OF' }), 404, 'One or both memories do not exist');
    expectProblem(
      await post({ memory1_id: one, memory2_id: 'xyz', type: 'PART_OF' }),
      404,
      'One or both memories do not exist',
    );
    expectProblem(await post(undefined), 400, 'JSON body is required');
  });

  it('coerces strength to a number and keeps only the properties of the type', async () => {
    const pair = { memory1_id: ` ${one} `, memory2_id: two.toUpperCase(), type: 'PART_OF' };

    const { body } = await post({
      ...pair,
      strength: '0.25',
      role: 'wheel',
      reason: 'not of this type',
      properties: { role: 'behind the top level', context: 'car' },
    });

    expect(body).to.deep.include({ strength: 0.25, role: 'wheel', context: 'car' }).and.to.not.have.property('reason');
    expect((await read(service, one)).relations[0]).to.deep.include({
      strength: 0.25,
      properties: { role: 'wheel', context: 'car' },
    });
    expect((await post({ ...pair, strength: true })).body).to.include({ strength: 1 });
    expect((await post({ ...pair, strength: null })).body).to.include({ strength: 0.5 });
    expectProblem(await post({ ...pair, strength: 'strong' }), 400, "'strength' must be a number");
    expectProblem(await post({ ...pair, strength: -0.1 }), 400, "'strength' must be between 0 and 1");
  });

  it('refuses an id or type that is not a text', async () => {
    const odd = { toString: 1, valueOf: 1 };
    expectProblem(
      await post({ memory1_id: odd, memory2_id: two, type: 'PART_OF' }),
      404,
      'One or both memories do not exist',
    );
    expectProblem(
      await post({ memory1_id: one, memory2_id: two, type: odd }),
      400,
      /^Invalid relationship type: \{"toString":1,/u,
    );
    const { body } = await post({ memory1_id: one, memory2_id: two, type: 'x'.repeat(100_000) });
    expect(body.message).to.match(/^Invalid relationship type: x{100}\. Must be one of: RELATES_TO, /u);
  });

  it('uses the single form when `associations` is not a list', async () => {
    expectProblem(await post({ associations: 'some' }), 400, 'Missing required field: memory1_id');
  });

  it('reports the error of each item of a batch', async () => {
    const pair = { memory1_id: one, memory2_id: two, type: 'PART_OF' };
    const items = [
      5,
      { ...pair, memory1_id: '' },
      { ...pair, memory2_id: one },
      { ...pair, type: 'X' },
      { ...pair, strength: 2 },
      { ...pair, strength: 'x' },
      { ...pair, memory2_id: 'xyz' },
    ];

    const { status, body } = await post({ associations: items });

    expect(status).to.equal(207);
    expect(body).to.deep.include({
      status: 'partial_success',
      created_count: 0,
      failed_count: 7,
      succeeded: [],
      summary: '0/7 associations created successfully',
    });
    expect(body.failed.map(({ reason }: { reason: string }) => reason.split('. Must')[0])).to.deep.equal([
      'Association item must be an object',
      'Missing required field: memory1_id',
      'Cannot associate a memory with itself',
      'Invalid relationship type: X',
      "'strength' must be between 0 and 1",
      "'strength' must be a number",
      'One or both memories do not exist',
    ]);
  });

  it('checks each item of a batch by itself: 207 when some fail', async () => {
    const pair = { memory1_id: one, memory2_id: two };

    const { status, body } = await post({
      associations: [
        { ...pair, type: 'RELATES_TO', strength: 0.2 },
        { ...pair, type: 'RELATES_TO', strength: 0.7 },
        pair,
        { ...pair, memory2_id: ABSENT_MEMORY_ID, type: 'PART_OF' },
      ],
    });

    expect(status).to.equal(207);
    expect(body).to.deep.equal({
      status: 'partial_success',
      created_count: 2,
      failed_count: 2,
      summary: '2/4 associations created successfully',
      succeeded: [
        { index: 0, ...pair, relation_type: 'RELATES_TO', strength: 0.2 },
        { index: 1, ...pair, relation_type: 'RELATES_TO', strength: 0.7 },
      ],
      failed: [
        { index: 2, reason: 'Missing required field: type' },
        { index: 3, reason: 'One or both memories do not exist' },
      ],
    });
    expect((await read(service, one)).relations[0]).to.include({ strength: 0.7 });
  });

  it('answers 201, 207 if all items fail, 400 for an empty or too large batch', async () => {
    const good = { memory1_id: one, memory2_id: two, type: 'DERIVED_FROM' };

    expect((await post({ associations: [good] })).body).to.include({
      status: 'success',
      created_count: 1,
      failed_count: 0,
    });
    expect((await post({ associations: [good] })).status).to.equal(201);
    expect((await post({ associations: [{}] })).status).to.equal(207);
    expectProblem(await post({ associations: [] }), 400, "'associations' must be a non-empty array");
    expectProblem(
      await post({ associations: Array.from({ length: 501 }, () => good) }),
      400,
      'Batch size limit is 500 associations per request',
    );
  });
});
