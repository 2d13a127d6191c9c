/**
 * Rules of the ranking that compare memories with each other: length, role, questions, and an order that ignores the
 * limit.
 */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const NOW = new Date('2024-06-01T12:00:00Z');
const LIMITS = [10, 20, 50, 100];

describe('ranking of a recall', () => {
  let service: Service;
  before(async () => {
    service = await startService({ clock: { now: () => NOW } });
  });
  after(() => service.close());

  /** Stores the contents as one memory each, in sessions of their own, or one minute apart in one session. */
  async function store(tag: string, contents: readonly string[], fields: object = {}): Promise<readonly string[]> {
    const memories = contents.map((content, index) => ({
      content,
      tags: [tag],
      type: 'Context',
      timestamp: new Date(Date.UTC(2024, 0, 1 + index)).toISOString(),
      ...fields,
    }));
    const { status, body } = await service.request('POST', '/memory/batch', { body: { memories } });
    expect(status).to.equal(201);
    await service.settled();
    return body.memory_ids;
  }

  async function idsOf(query: string): Promise<readonly string[]> {
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.results.map(({ id }: { id: string }) => id);
  }

  it('puts the closest memory first for a query by vector alone', async () => {
    const vectorAt = (cosine: number): readonly number[] =>
      Array.from({ length: 384 }, (_, axis) => [cosine, Math.sqrt(1 - cosine ** 2)][axis] ?? 0);
    for (const [cosine, fields] of [
      [1, { content: 'The old kiln', importance: 0, timestamp: '2020-01-01T00:00:00Z' }],
      [0.958, { content: 'The new loom', importance: 1, timestamp: NOW.toISOString() }],
    ] as const) {
      const body = { ...fields, tags: ['closeness'], type: 'Context', embedding: vectorAt(cosine) };
      expect((await service.request('POST', '/memory', { body })).status).to.equal(201);
    }
    await service.settled();
    const { body } = await service.request('GET', `/recall?tags=closeness&embedding=${vectorAt(1).join(',')}`);
    const [first, second] = body.results;
    expect(first.memory.content).to.equal('The old kiln');
    expect(second.final_score).to.be.above(first.final_score);
  });

  it('returns the same first ten for the limits 10, 20, 50 and 100', async () => {
    const topics = ['violin lessons', 'garden tools', 'train tickets', 'winter coats', 'violin strings'];
    await store(
      'stable',
      Array.from(
        { length: 150 },
        (_, index) => `Note ${index} about ${topics[index % 5]} and ${topics[(index * 3) % 5]}`,
      ),
    );
    const [first, ...others] = await Promise.all(
      LIMITS.map((limit) => idsOf(`query=violin+lessons+in+winter&tags=stable&limit=${limit}&adaptive_floor=false`)),
    );
    expect(first).to.have.length(10);
    for (const ids of others) expect(ids.slice(0, 10)).to.deep.equal(first);
  });

  it('covers the days of a history when the query asks for it as a whole', async () => {
    const remarks = ['the roof', 'the walls', 'the floor'].map((part) => `The boat house got ${part} repaired`);
    await store('boats', remarks, { timestamp: '2024-03-01T10:00:00Z' });
    const [later] = await store('boats', ['The boat house got the doors repaired'], {
      timestamp: '2024-04-01T10:00:00Z',
      importance: 0.6,
    });
    const recalled = async (query: string) =>
      (await service.request('GET', `/recall?${new URLSearchParams({ query, tags: 'boats', limit: '3' })}`)).body;
    const history = await recalled('summarize the repaired boat house');
    expect(history.day_coverage).to.equal('on');
    expect(history.results.map(({ id }: { id: string }) => id)).to.include(later);
    const other = await recalled('the repaired boat house');
    expect(other).not.to.have.property('day_coverage');
    expect(other.results.map(({ id }: { id: string }) => id)).not.to.include(later);
  });

  it('prefers a short statement to a long text that contains the same words', async () => {
    const filler = 'and further remarks about plans, budgets, people, places and many other topics of the week '.repeat(
      18,
    );
    const [long, short] = await store('length', [
      `Ferry timetable ${filler}`,
      'The ferry timetable changes on Monday',
      'Nothing else happened',
    ]);
    expect((await idsOf('query=ferry+timetable+monday&tags=length')).slice(0, 2)).to.deep.equal([short, long]);
  });

  it('prefers what the user said to what the assistant repeated', async () => {
    const [assistant, user] = await store('role', [
      'Assistant: the marathon in Lisbon is a good aim for you',
      'User: the marathon in Lisbon is a good aim for me',
      'Assistant: drink water',
    ]);
    expect((await idsOf('query=marathon+in+Lisbon&tags=role')).slice(0, 2)).to.deep.equal([user, assistant]);
  });

  it('lowers a bare question, and not a statement that ends with a question', async () => {
    const [bare, statement] = await store('question', [
      'Which allergy medicine works?',
      'I have had a cat allergy since spring, the pharmacist gave me cetirizine in the evening, and on most days it works well enough to sleep through the night. Is there another allergy medicine that works?',
      'The weather was fine',
    ]);
    const { body } = await service.request(
      'GET',
      '/recall?query=which+allergy+medicine+works&tags=question&explain=true',
    );
    const questions = new Map(
      body.results.map((result: { id: string; explain: { features: { question: number } } }) => [
        result.id,
        result.explain.features.question,
      ]),
    );
    expect([questions.get(bare), questions.get(statement)]).to.deep.equal([1, 0]);
  });
});
