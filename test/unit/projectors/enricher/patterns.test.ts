import { expect } from 'chai';
import { keyTerms } from '../../../../projectors/enricher/key-terms.js';
import { patternId } from '../../../../projectors/enricher/pattern-id.js';
import { openEnrichmentGround, storedAt, type EnrichmentGround } from '../../../support/enrichment-ground.js';
import { memoryId } from '../../../support/vectors.js';

const { signal } = new AbortController();

describe('pattern memories', () => {
  let ground: EnrichmentGround;
  beforeEach(async () => {
    ground = await openEnrichmentGround();
  });
  afterEach(() => ground.close());

  const habit = (number: number, overrides: Parameters<typeof storedAt>[2] = {}) =>
    storedAt(number, number, { type: 'Habit', content: `Coffee every morning, cup ${number}`, ...overrides });
  async function enrich(numbers: readonly number[], overrides: Parameters<typeof storedAt>[2] = {}): Promise<void> {
    const events = numbers.map((number) => habit(number, overrides));
    await ground.hold(events);
    await ground.enricher().project(events, signal);
  }
  const exemplifying = () =>
    ground.books
      .of('enriched')
      .filter(({ derived }) => derived.some(({ type }) => type === 'EXEMPLIFIES'))
      .map(({ id }) => Number(id.slice(-12)));

  it('are made once three others of a type are sure of it', async () => {
    await enrich([1, 2, 3]);
    expect(ground.books.of('pattern')).to.deep.equal([]);
    await enrich([4]);
    const [pattern, ...others] = ground.books.of('pattern');
    expect(others).to.deep.equal([]);
    expect(pattern).to.deep.equal({
      kind: 'pattern',
      id: patternId('Habit'),
      expectedVersion: 0,
      causationId: habit(4).id,
      content: 'Pattern across 4 Habit memories highlighting coffee, every, morning',
      confidence: 0.55,
      metadata: { pattern_type: 'Habit', observations: 4, key_terms: ['coffee', 'every', 'morning'] },
    });
    expect(exemplifying()).to.deep.equal([4]);
    expect(ground.books.of('enriched').at(-1)?.derived).to.deep.include({
      type: 'EXEMPLIFIES',
      target: patternId('Habit'),
      strength: 0.9,
      properties: { pattern_type: 'Habit', confidence: 0.9 },
    });
  });

  it('stand before what exemplifies them, so that the graph shows the association', async () => {
    await enrich([1, 2, 3, 4]);
    const relations = await ground.graph.relations({
      ids: [memoryId(4)],
      direction: 'outgoing',
      types: ['EXEMPLIFIES'],
      limit: 5,
    });
    expect(relations.get(memoryId(4))?.map(({ memory }) => memory.id)).to.deep.equal([patternId('Habit')]);
  });

  it("are nobody's who is not sure of its type, and not made of such", async () => {
    await enrich([1, 2, 3, 4, 5], { confidence: 0.5 });
    await enrich([6]);
    expect(ground.books.of('pattern')).to.deep.equal([]);
    await enrich([7, 8, 9]);
    expect(exemplifying()).to.deep.equal([7, 8, 9]);
  });

  it('are written anew only when twice as many were seen', async () => {
    await enrich([1, 2, 3, 4]);
    for (const number of [5, 6, 7, 8, 9]) await enrich([number]);
    const written = ground.books
      .of('pattern')
      .map(({ expectedVersion, metadata }) => [expectedVersion, metadata['observations']]);
    expect(written).to.deep.equal([
      [0, 4],
      [1, 8],
    ]);
  });

  it('are not of several types at once', async () => {
    await enrich([1, 2, 3]);
    await enrich([4], { type: 'Style' });
    expect(ground.books.of('pattern')).to.deep.equal([]);
  });

  it('are exemplified by nobody while they cannot be written', async () => {
    const events = [1, 2, 3, 4].map((number) => habit(number));
    await ground.hold(events);
    const record: typeof ground.books.record = async (commands) =>
      commands[0]?.kind === 'pattern' ? ['outdated'] : ground.books.record(commands);
    await ground.enricher({ record }).project(events, signal);
    expect(exemplifying()).to.deep.equal([]);
    expect(ground.books.of('enriched')).to.have.length(4);
  });
});

describe('the id of a pattern', () => {
  it('is a UUID of version 5, one for each type', () => {
    expect(patternId('Habit'))
      .to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u)
      .and.not.equal(patternId('Style'));
  });

  it('never changes', () => {
    expect(patternId('Habit')).to.equal('9e4a8d13-9c35-55e7-a899-bbe0f0afc944');
  });
});

describe('key terms', () => {
  it('are those of most texts, then those said most, then by the alphabet', () => {
    expect(keyTerms(['alpha beta beta beta', 'alpha gamma', 'gamma delta delta'], 4)).to.deep.equal([
      'alpha',
      'gamma',
      'beta',
      'delta',
    ]);
  });

  it('are words of four letters or more that mean something', () => {
    expect(keyTerms(['They would not use the 2024 API with this tool'], 5)).to.deep.equal(['tool']);
  });

  it('are none of nothing', () => {
    expect(keyTerms([], 5)).to.deep.equal([]);
  });
});
