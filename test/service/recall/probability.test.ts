/** The probability that a result answers the query, and the answer to a query that nothing fits. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

type Result = {
  readonly id: string;
  readonly match_probability: number;
  readonly score_components: Readonly<Record<'vector' | 'keyword' | 'metadata' | 'tag' | 'exact' | 'relation', number>>;
  readonly explain?: { readonly match: object };
};

const CONTENTS = [
  'The violin lesson moved to Thursday at five, Clara pays the teacher in cash',
  'Our kitten refuses to eat anything but tuna',
  'The greenhouse needs new panes before the frost',
  'Payments fail when the card has expired; the retry job runs every hour',
  'Grandmother sent a recipe for plum dumplings',
  'The bicycle of Tomas has a flat tyre again',
  'We prefer dark roast from the shop at the corner',
  'The dentist confirmed the appointment for the ninth of June',
];

describe('match probability', () => {
  let service: Service;
  let ids: ReadonlyMap<string, string>;
  before(async () => {
    service = await startService();
    const memories = CONTENTS.map((content, index) => ({
      content,
      tags: ['home'],
      type: 'Context',
      timestamp: new Date(Date.UTC(2024, 0, 1 + index)).toISOString(),
    }));
    const { status, body } = await service.request('POST', '/memory/batch', { body: { memories } });
    expect(status).to.equal(201);
    ids = new Map(CONTENTS.map((content, index) => [content.split(' ')[1] ?? '', body.memory_ids[index]]));
    await service.settled();
  });
  after(() => service.close());

  async function recall(parameters: string) {
    const { status, body } = await service.request('GET', `/recall?limit=20&adaptive_floor=false&${parameters}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as { results: Result[]; count: number; nothing_fits?: boolean; score_filter?: object };
  }
  const probabilities = ({ results }: { readonly results: readonly Result[] }): readonly number[] =>
    results.map(({ match_probability: probability }) => probability);

  it('is highest for the answer', async () => {
    const answer = await recall('query=when+is+the+violin+lesson+of+Clara');
    const [best = 0, ...others] = probabilities(answer);
    expect(answer.results[0]?.id).to.equal(ids.get('violin'));
    expect(answer.nothing_fits).to.equal(false);
    expect(others).to.have.length(CONTENTS.length - 1);
    expect(best)
      .to.be.above(5 * Math.max(...others))
      .and.at.most(1);
  });

  it('orders the results of a query as the points of their match do', async () => {
    for (const query of ['when+is+the+violin+lesson', 'who+repairs+the+bicycle+of+Tomas', 'retry+of+a+failed+card']) {
      const { results } = await recall(`query=${query}`);
      const points = ({ score_components: part }: Result): number =>
        0.35 * (part.vector + part.keyword + part.metadata) + 0.2 * (part.tag + part.exact) + 0.25 * part.relation;
      const byPoints = results.toSorted((one, other) => points(other) - points(one));
      const ordered = probabilities({ results: byPoints });
      expect(ordered, query).to.deep.equal(ordered.toSorted((one, other) => other - one));
    }
  });

  it('is low for every result of a question about something else', async () => {
    const answer = await recall('query=which+compiler+flags+does+the+firmware+use');
    expect(answer.nothing_fits).to.equal(true);
    expect(answer.results).to.have.length(CONTENTS.length);
    expect(Math.max(...probabilities(answer)))
      .to.be.above(0)
      .and.below(0.02);
  });

  it('drops the results below min_probability', async () => {
    const other = await recall('query=which+compiler+flags+does+the+firmware+use&min_probability=0.02');
    expect([other.results, other.count, other.nothing_fits]).to.deep.equal([[], 0, true]);
    expect(other.score_filter).to.deep.include({ min_probability: 0.02, filtered_count: CONTENTS.length });
    const some = await recall('query=when+is+the+violin+lesson+of+Clara&min_probability=0.05');
    expect([some.results.map(({ id }) => id), some.nothing_fits]).to.deep.equal([[ids.get('violin')], false]);
  });

  it('fits an answer that shares no word with the query', async () => {
    const answer = await recall('query=feeding+a+young+cat');
    expect(answer.results[0]?.id).to.equal(ids.get('kitten'));
    expect(answer.nothing_fits).to.equal(false);
  });

  it('is that of the query which found the result', async () => {
    const answer = await recall(`queries=${['which+compiler+flags', 'violin+lesson+Clara'].join('&queries=')}`);
    expect(answer.results[0]?.id).to.equal(ids.get('violin'));
    expect(answer.nothing_fits).to.equal(false);
    const others = await recall(`queries=${['which+compiler+flags', 'firmware+linker+script'].join('&queries=')}`);
    expect(others.nothing_fits).to.equal(true);
  });

  it('is absent in a listing', async () => {
    for (const parameters of ['tags=home', 'query=*', 'tags=home&min_probability=1']) {
      const answer = await recall(parameters);
      expect(answer.results, parameters).to.have.length(CONTENTS.length);
      expect(answer, parameters).to.not.have.property('nothing_fits');
      for (const result of answer.results) expect(result).to.not.have.property('match_probability');
    }
  });

  it('comes with its features in an explanation', async () => {
    const [first] = (await recall('query=violin+lesson+submarine&explain=true')).results;
    expect(first?.explain?.match).to.include({
      probability: first?.match_probability,
      candidates: CONTENTS.length,
      sessions: false,
    });
    expect(first?.explain?.match)
      .to.have.property('known_terms')
      .closeTo(2 / 3, 1e-6);
  });

  it('gives no nothing_fits in a degraded answer', async () => {
    service.breakers.vectors.break();
    try {
      const answer = await recall('query=compiler+violin');
      expect(answer).to.have.property('degraded');
      expect(answer).to.not.have.property('nothing_fits');
      expect(answer.results[0]).to.have.property('match_probability');
    } finally {
      service.breakers.vectors.mend();
    }
  });
});
