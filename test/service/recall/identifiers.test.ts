/**
 * An identifier in a sentence finds its memory among many memories that share the other words, also before
 * conversations.
 */
import { expect } from 'chai';
import { withRecall } from '../../support/fixtures/query-config.js';
import { type Service, startService } from '../../support/processes/service.js';

const TALK = [
  'What do we know of the refund so far, and why was it taken back again?',
  'We know what happens inside the bank, but not how to get rid of it',
  'I know why it was taken back: we get rid of refunds that happen twice',
  'So what happens inside, and what do we know of the fix?',
];

const NAMED: readonly (readonly [kind: string, content: string, question: string])[] = [
  ['a ticket', 'PAY-4123 is about double bookings.', 'what do we know of PAY-4123'],
  ['a ticket of the same number', 'OPS-4123 is about the coffee machine.', 'what do we know of ops-4123 so far'],
  ['a commit', 'The regression came in with 9f86d081.', 'why was 9f86d081 taken back again'],
  [
    'a path',
    'Tokens are refreshed in src/app/handlers/session_4f2a.ts.',
    'what happens inside src/app/handlers/session_4f2a.ts again',
  ],
  [
    'a file without its path',
    'Receipts are made in src/app/handlers/receipt_77.ts.',
    'what happens inside receipt_77.ts',
  ],
  ['an error code', 'ERR_QUOTA_A17B means that the plan is used up.', 'how do we get rid of ERR_QUOTA_A17B'],
  [
    'an error code in another spelling',
    'ERR_QUOTA_C99D means that nobody paid.',
    'why do we get err-quota-c99d again and again',
  ],
  ['a version', 'The image is built on 20.11.1 for now.', 'what do we know of 20.11.1, and why was it taken back'],
  ['a name out of code', 'Blanks are cut by parseUserName.', 'what happens inside parseUserName, and do we know why'],
  ['an identifier among Chinese words', '支付在 CN_PAY_88 中失败', '我们知道 CN_PAY_88 是什么吗'],
];

describe('recall of identifiers', () => {
  let service: Service;
  before(async () => {
    // A small pool, which the common words of the queries fill many times.
    service = await startService({
      variables: { RECALL_VECTOR_FETCH_CAP: '8' },
      query: withRecall({ keywordPool: 8 }),
    });
    const talks = Array.from({ length: 48 }, (_, index) => ({
      content: `Ann: ${TALK[index % TALK.length]} (${index})`,
      tags: [`conversation:${Math.floor(index / 12)}`],
      importance: 1,
      timestamp: new Date(Date.UTC(2024, 4, 1, 12, index)).toISOString(),
    }));
    const named = NAMED.map(([, content]) => ({ content, importance: 0.1, timestamp: '2023-01-01T00:00:00Z' }));
    const notes = Array.from({ length: 6 }, (_, index) => ({
      content: `Notes on why refunds are late and what the bank answers about it, part ${index}: ${'they are late since the bank answers late; '.repeat(3)}`,
      importance: 1,
    }));
    const style = {
      content: 'I prefer handlers of one session and src in front',
      type: 'Preference',
      tags: ['typescript'],
      importance: 1,
    };
    const { status, body } = await service.request('POST', '/memory/batch', {
      body: { memories: [...talks, ...named, ...notes, style] },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    await service.settled();
  });
  after(() => service.close());

  for (const [kind, content, question] of NAMED) {
    it(`finds ${kind} in a sentence`, async () => {
      const { body } = await service.request(
        'GET',
        `/recall?${new URLSearchParams({ query: question, limit: '3', explain: 'true' })}`,
      );
      const [first] = body.results;
      expect(first.memory.content).to.equal(content);
      expect(first.explain.features.identifier).to.equal(1);
    });
  }

  it('ranks an identifier above important notes with other words', async () => {
    const parameters = {
      query: 'which notes say why refunds are late and what the bank answers about OPS-4123',
      exclude_tags: 'conversation',
      limit: '1',
    };
    const { body } = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(body.results[0].memory.content).to.match(/^OPS-4123/u);
  });

  it('does not treat a path as a request for style memories', async () => {
    const { body } = await service.request(
      'GET',
      `/recall?${new URLSearchParams({ query: 'src/app/handlers/session_4f2a.ts', limit: '1' })}`,
    );
    expect(body.results[0].memory.content).to.match(/session_4f2a/u);
  });

  it('finds an identifier in the middle of a long text', async () => {
    const query = `${TALK.join(' ')} ${TALK.join(' ')} And what of ERR_QUOTA_A17B? ${TALK.join(' ')}`;
    const { body } = await service.request('GET', `/recall?${new URLSearchParams({ query, limit: '1' })}`);
    expect(body.results[0].memory.content).to.match(/^ERR_QUOTA_A17B/u);
  });

  it('finds both of two identifiers', async () => {
    const query = 'do we know whether PAY-4123 has to do with ERR_QUOTA_A17B, or why it was taken back';
    const { body } = await service.request('GET', `/recall?${new URLSearchParams({ query, limit: '2' })}`);
    expect(
      body.results.map(({ memory }: { memory: { content: string } }) => memory.content.slice(0, 9)).sort(),
    ).to.deep.equal(['ERR_QUOTA', 'PAY-4123 ']);
  });

  it('has no identifier for a query without identifiers', async () => {
    const { body } = await service.request('GET', '/recall?query=what+do+we+know&explain=true');
    for (const { explain } of body.results) expect(explain.features).to.not.have.property('identifier');
  });
});
