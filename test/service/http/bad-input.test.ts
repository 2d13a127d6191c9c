/** Bad input gets a 4xx that names the field: never a 5xx, never a partly written memory. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const UNKNOWN_ID = '4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11';
const WRONG_FOR_TEXT = [5, true, {}, ['a'], ''];
const WRONG_FOR_NUMBER = ['many', {}, [], '', -0.1, 1.1, '2'];
const WRONG_FOR_TIME = ['yesterday', '2024-1-1', '2024-13-01', '2024-01-01T10:00:00z', 5, {}, []];

/** Each field with values that it must reject. */
const REFUSED: Readonly<Record<string, readonly unknown[]>> = {
  content: [...WRONG_FOR_TEXT, null, '   ', 'x'.repeat(2_001), 'a\u0000b', 'half \ud800 pair'],
  type: ['Banana', 5, {}, []],
  confidence: WRONG_FOR_NUMBER,
  importance: WRONG_FOR_NUMBER,
  tags: [
    5,
    {},
    [5],
    [['a']],
    [{}],
    Array.from({ length: 101 }, (_, index) => `t${index}`),
    ['x'.repeat(257)],
    ['a\u0000b'],
  ],
  metadata: ['text', 5, [], true, { big: 'x'.repeat(65_537) }, { deep: { key: 'a\u0000b' } }],
  timestamp: WRONG_FOR_TIME,
  updated_at: WRONG_FOR_TIME,
  last_accessed: WRONG_FOR_TIME,
  t_valid: WRONG_FOR_TIME,
  t_invalid: WRONG_FOR_TIME,
  embedding: [
    [1, 2, 3],
    'a,b',
    {},
    5,
    [[1]],
    Array.from({ length: 384 }, () => 'x'),
    Array.from({ length: 384 }, () => 0),
    Array.from({ length: 512 }, () => 1), // as the model of an earlier release
  ],
};

describe('bad input', () => {
  let service: Service;
  let existing: string;
  before(async () => {
    service = await startService();
    const stored = await service.request('POST', '/memory', {
      body: { content: 'Something to change', tags: ['kept'] },
    });
    existing = stored.body.memory_id;
  });
  after(() => service.close());

  async function memoryCount(): Promise<number> {
    return (await service.request('GET', '/health')).body.memory_count;
  }

  function expectRefusal(answer: { status: number; body: Record<string, unknown> }, field: string): void {
    expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
    expect(answer.body).to.include({ status: 'error', code: 400 });
    expect(answer.body['message']).to.equal(answer.body['error']);
    expect(`${String(answer.body['message'])} ${String(answer.body['field'])}`.toLowerCase()).to.contain(field);
  }

  for (const [field, values] of Object.entries(REFUSED)) {
    it(`makes POST /memory reject an invalid ${field} and store nothing`, async () => {
      const before = await memoryCount();
      for (const value of values) {
        expectRefusal(
          await service.request('POST', '/memory', {
            body: { content: 'Fine', type: field === 'confidence' ? 'Insight' : undefined, [field]: value },
          }),
          field,
        );
      }
      expect(await memoryCount()).to.equal(before);
    });

    if (field === 'embedding') continue;
    it(`makes PATCH reject an invalid ${field} and change nothing`, async () => {
      const before = await service.request('GET', `/memory/${existing}`);
      for (const value of values.filter((candidate) => candidate !== null)) {
        expectRefusal(await service.request('PATCH', `/memory/${existing}`, { body: { [field]: value } }), field);
      }
      const unchanged = await service.request('GET', `/memory/${existing}`);
      expect(unchanged.headers.get('etag')).to.equal(before.headers.get('etag'));
    });
  }

  it('in one item of a batch rejects the batch with the index of the item', async () => {
    const before = await memoryCount();
    const bad = [
      { content: '' },
      { content: 'x', importance: 2 },
      { content: 'x', timestamp: 'soon' },
      { content: 'x', tags: 5 },
      { content: 'x', metadata: [] },
      { content: 'x', type: 'Banana' },
      'text',
      null,
      [],
    ];
    for (const item of bad) {
      const answer = await service.request('POST', '/memory/batch', {
        body: { memories: [{ content: 'Fine' }, item] },
      });
      expect(answer.status).to.equal(400);
      expect(answer.body.message).to.match(/^Memory at index 1\b/u);
    }
    expect(await memoryCount()).to.equal(before);
  });

  for (const body of [
    [],
    {},
    { memories: [] },
    { memories: 'x' },
    { memories: {} },
    { memories: Array.from({ length: 501 }, () => ({ content: 'x' })) },
  ]) {
    it(`like ${JSON.stringify(body).slice(0, 40)} as a batch is 400`, async () => {
      expect((await service.request('POST', '/memory/batch', { body })).status).to.equal(400);
    });
  }

  const OPERATORS = [
    `" OR 1=1 --`,
    `'; DROP TABLE memories; --`,
    `NEAR(a b)`,
    `content:x`,
    `a* AND b`,
    `(((`,
    `"`,
    `""`,
    `^`,
    `-`,
    `{}`,
    `%`,
    `_`,
    `\\`,
    'a'.repeat(20_000),
    '😀',
    '‮',
    '日本語 の メモ',
  ];
  for (const text of OPERATORS) {
    it(`does not include ${JSON.stringify(text.slice(0, 24))} in recall, tags and content`, async () => {
      const encoded = encodeURIComponent(text);
      for (const path of [
        `/recall?query=${encoded}`,
        `/recall?query=x&tags=${encoded}`,
        `/recall?query=x&exclude_tags=${encoded}`,
        `/recall?tags=${encoded}&tag_match=exact`,
      ]) {
        expect((await service.request('GET', path)).status, path.slice(0, 80)).to.equal(200);
      }
      const tag = text.slice(0, 200);
      const stored = await service.request('POST', '/memory', { body: { content: text.slice(0, 1_900), tags: [tag] } });
      expect(stored.status).to.equal(201);
      const listed = await service.request('GET', `/memory/by-tag?tags=${encodeURIComponent(tag)}`);
      expect(listed.body.memories.map(({ id }: { id: string }) => id)).to.contain(stored.body.memory_id);
    });
  }

  it('does not include an embedding of 384 numbers in the URL, about 8 KB', async () => {
    const vector = Array.from({ length: 384 }, (_, index) => Math.sin(index).toFixed(17)).join(',');
    expect((await service.request('GET', `/recall?embedding=${vector}`)).status).to.equal(200);
  });

  for (const [vector, message] of [
    ['1,2,3', 'Embedding must contain exactly 384 values'],
    ['1,'.repeat(511) + '1', 'Embedding must contain exactly 384 values'],
    ['NaN,'.repeat(383) + 'NaN', 'Embedding must contain numeric values'],
    ['Infinity,'.repeat(383) + '1', 'Embedding must contain numeric values'],
    ['x', 'Embedding must contain numeric values'],
    ['1e999,'.repeat(383) + '1', 'Embedding must contain numeric values'],
  ] as const) {
    it(`like the embedding ${vector.slice(0, 16)} in the URL is 400`, async () => {
      const answer = await service.request('GET', `/recall?embedding=${vector}`);
      expect(answer.status).to.equal(400);
      expect(answer.body.message).to.equal(message);
    });
  }

  for (const id of ['nonsense', '123', `${UNKNOWN_ID}0`, '%00', '..%2f..']) {
    it(`like the id ${id} is 400`, async () => {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await service.request(
          method,
          `/memory/${id}`,
          method === 'PATCH' ? { body: { importance: 1 } } : {},
        );
        expect(answer.status).to.equal(400);
        expect(answer.body.message).to.equal('memory_id must be a valid UUID');
      }
    });
  }

  it('of 20 MB is rejected for its content', async () => {
    const memories = Array.from({ length: 400 }, (_, index) => ({
      content: `Large ${index}`,
      metadata: { filler: 'x'.repeat(50_000) },
    }));
    const accepted = await service.request('POST', '/memory/batch', { body: { memories } });
    expect(accepted.status).to.equal(201);
    expect(accepted.body.stored).to.equal(400);
  }).timeout(60_000);
});
