/**
 * Every write returns the position of its last event in the journal as a receipt, which a read may pass as
 * `consistent_with`.
 */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { positionIn } from '../../support/checks/position-in.js';
import type { Answer } from '../../support/clients/http-caller.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('receipt of a write', () => {
  let service: Service;
  let first: string;
  let second: string;
  before(async () => {
    service = await startService();
    [first, second] = (
      await service.request('POST', '/memory/batch', { body: { memories: [{ content: 'One' }, { content: 'Two' }] } })
    ).body.memory_ids;
  });
  after(() => service.close());

  const receiptOf = ({ headers }: Answer): string | null => headers.get(RECEIPT_HEADER);

  /** Finds the events of the request by its id, because background work writes to the same journal. */
  async function expectReceipt(answer: Answer): Promise<void> {
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 207);
    const journal = await service.engines.journal.read({ after: 0, limit: 1_000 });
    const written = journal.filter(({ correlationId }) => correlationId === answer.headers.get('x-request-id'));
    expect(receiptOf(answer)).to.match(/^[0-9a-f]{8}\.\d+$/u);
    expect(positionIn(receiptOf(answer))).to.equal(written.at(-1)?.position);
  }

  it('is the position of the last event, for every kind of write', async () => {
    await expectReceipt(await service.request('POST', '/memory', { body: { content: 'Alone' } }));
    await expectReceipt(
      await service.request('POST', '/memory/batch', {
        body: { memories: ['a', 'b', 'c'].map((content) => ({ content, tags: ['many'] })) },
      }),
    );
    await expectReceipt(await service.request('PATCH', `/memory/${first}`, { body: { importance: 1 } }));
    const pair = { memory1_id: first, memory2_id: second, type: 'LEADS_TO' };
    await expectReceipt(await service.request('POST', '/associate', { body: pair }));
    await expectReceipt(
      await service.request('POST', '/associate', { body: { associations: [pair, { ...pair, type: 'nonsense' }] } }),
    );
    await expectReceipt(await service.request('DELETE', '/memory/by-tag?tags=many'));
    await expectReceipt(await service.request('DELETE', `/memory/${second}`));
  });

  it('is the same for a repeated request', async () => {
    const repeated: readonly (readonly [string, string, unknown])[] = [
      ['POST', '/memory', { content: 'Once', tags: ['repeated'] }],
      [
        'POST',
        '/memory/batch',
        {
          memories: [
            { content: 'Twice', tags: ['repeated'] },
            { content: 'Thrice', tags: ['repeated'] },
          ],
        },
      ],
      ['PATCH', `/memory/${first}`, { importance: 0.25 }],
      ['DELETE', '/memory/by-tag?tags=repeated', undefined],
    ];
    for (const [method, path, body] of repeated) {
      const options = {
        ...(body === undefined ? {} : { body }),
        headers: { 'Idempotency-Key': `receipt of ${method} ${path}` },
      };
      const answer = await service.request(method, path, options);
      await expectReceipt(answer);
      await service.request('PATCH', `/memory/${first}`, { body: { tags: [method, path] } });
      expect(receiptOf(await service.request(method, path, options)), `${method} ${path}`).to.equal(receiptOf(answer));
    }
  });

  it('is absent when nothing changed', async () => {
    for (const [method, path, body] of [
      ['DELETE', '/memory/by-tag?tags=nobody-has-this', undefined],
      ['POST', '/associate', { associations: [{ memory1_id: first, memory2_id: first, type: 'nonsense' }] }],
      ['PATCH', `/memory/${first}`, { importance: 7 }],
      ['GET', `/memory/${first}`, undefined],
    ] as const) {
      expect(
        receiptOf(await service.request(method, path, body === undefined ? {} : { body })),
        `${method} ${path}`,
      ).to.equal(null);
    }
  });

  it('is readable by scripts of other origins', async () => {
    const { headers } = await service.request('OPTIONS', '/memory', {
      headers: { origin: 'http://localhost:3000' },
    });
    expect(headers.get('access-control-expose-headers')?.split(', ')).to.contain(RECEIPT_HEADER);
  });
});
