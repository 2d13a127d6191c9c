import { expect } from 'chai';
import { keyTerms, patternId } from '../../../../projectors/enricher/pattern.js';
import {
  type EnrichmentTestDeployment,
  openEnrichmentTestDeployment,
  storedAt,
} from '../../../support/adapters/enrichment-test-deployment.js';
import { memoryId } from '../../../support/fixtures/memories.js';

const { signal } = new AbortController();

describe('pattern memories', () => {
  let deployment: EnrichmentTestDeployment;
  beforeEach(async () => {
    deployment = await openEnrichmentTestDeployment();
  });
  afterEach(() => deployment.close());

  const habit = (number: number, overrides: Parameters<typeof storedAt>[2] = {}) =>
    storedAt(number, number, { type: 'Habit', content: `Coffee every morning, cup ${number}`, ...overrides });
  async function enrich(numbers: readonly number[], overrides: Parameters<typeof storedAt>[2] = {}): Promise<void> {
    const events = numbers.map((number) => habit(number, overrides));
    await deployment.apply(events);
    await deployment.enricher().project(events, signal);
  }
  const exemplifying = () =>
    deployment.recorder
      .of('enriched')
      .filter(({ derived }) => derived.some(({ type }) => type === 'EXEMPLIFIES'))
      .map(({ id }) => Number(id.slice(-12)));

  it('are created once three other memories of a type have a high confidence', async () => {
    await enrich([1, 2, 3]);
    expect(deployment.recorder.of('pattern')).to.deep.equal([]);
    await enrich([4]);
    const [pattern, ...others] = deployment.recorder.of('pattern');
    expect(others).to.deep.equal([]);
    expect(pattern).to.deep.equal({
      kind: 'pattern',
      id: patternId('Habit'),
      expectedVersion: 0,
      causationId: habit(4).id,
      derivedFrom: [3, 2, 1].map(memoryId),
      content: 'Pattern across 4 Habit memories highlighting coffee, every, morning',
      confidence: 0.55,
      metadata: { pattern_type: 'Habit', observations: 4, key_terms: ['coffee', 'every', 'morning'] },
    });
    expect(exemplifying()).to.deep.equal([4]);
    expect(deployment.recorder.of('enriched').at(-1)?.derived).to.deep.include({
      type: 'EXEMPLIFIES',
      target: patternId('Habit'),
      strength: 0.9,
      properties: { pattern_type: 'Habit', confidence: 0.9 },
    });
  });

  it('are written before the memories that exemplify them', async () => {
    await enrich([1, 2, 3, 4]);
    const relations = await deployment.graph.relations({
      ids: [memoryId(4)],
      direction: 'outgoing',
      types: ['EXEMPLIFIES'],
      limit: 5,
    });
    expect(relations.get(memoryId(4))?.map(({ memory }) => memory.id)).to.deep.equal([patternId('Habit')]);
  });

  it('are exemplified by all memories of the batch that creates them', async () => {
    const numbers = Array.from({ length: 30 }, (_, at) => at + 1);
    await enrich(numbers);
    expect(deployment.recorder.of('pattern')).to.have.length(1);
    expect(exemplifying().sort((a, b) => a - b)).to.deep.equal(numbers);
  });

  it('exclude memories with a low confidence', async () => {
    await enrich([1, 2, 3, 4, 5], { confidence: 0.5 });
    await enrich([6]);
    expect(deployment.recorder.of('pattern')).to.deep.equal([]);
    await enrich([7, 8, 9]);
    expect(exemplifying()).to.deep.equal([7, 8, 9]);
  });

  it('are updated only when the number of observations has doubled', async () => {
    await enrich([1, 2, 3, 4]);
    for (const number of [5, 6, 7, 8, 9]) await enrich([number]);
    const written = deployment.recorder
      .of('pattern')
      .map(({ expectedVersion, metadata }) => [expectedVersion, metadata['observations']]);
    expect(written).to.deep.equal([
      [0, 4],
      [1, 8],
    ]);
  });

  it('of a large type are exemplified by a sample of its memories', async () => {
    const metadata = { pattern_type: 'Habit', observations: 1_000_000, key_terms: [] };
    await deployment.apply([
      storedAt(99, 99, { id: patternId('Habit'), type: 'MetaPattern', metadata, enriched: true }),
    ]);
    await enrich([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(deployment.recorder.of('enriched')).to.have.length(9);
    expect(exemplifying()).to.deep.equal([]);
    expect(deployment.recorder.of('enriched')[0]?.findings.patterns_detected).to.have.length(1);
  });

  it('belong to one type each', async () => {
    await enrich([1, 2, 3]);
    await enrich([4], { type: 'Style' });
    expect(deployment.recorder.of('pattern')).to.deep.equal([]);
  });

  it('are not exemplified while their write fails', async () => {
    const events = [1, 2, 3, 4].map((number) => habit(number));
    await deployment.apply(events);
    const record: typeof deployment.recorder.record = async (commands) =>
      commands[0]?.kind === 'pattern' ? ['outdated'] : deployment.recorder.record(commands);
    await deployment.enricher({ record }).project(events, signal);
    expect(exemplifying()).to.deep.equal([]);
    expect(deployment.recorder.of('enriched')).to.have.length(4);
  });
});

describe('patternId', () => {
  it('returns a UUID of version 5, one for each type', () => {
    expect(patternId('Habit'))
      .to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u)
      .and.not.equal(patternId('Style'));
  });

  it('never changes', () => {
    expect(patternId('Habit')).to.equal('9e4a8d13-9c35-55e7-a899-bbe0f0afc944');
  });
});

describe('keyTerms', () => {
  it('sorts by number of texts, then by frequency, then alphabetically', () => {
    expect(keyTerms(['alpha beta beta beta', 'alpha gamma', 'gamma delta delta'], 4)).to.deep.equal([
      'alpha',
      'gamma',
      'beta',
      'delta',
    ]);
  });

  it('returns words of at least four letters without stop words', () => {
    expect(keyTerms(['They would not use the 2024 API with this tool'], 5)).to.deep.equal(['tool']);
  });

  it('returns no terms for no texts', () => {
    expect(keyTerms([], 5)).to.deep.equal([]);
  });
});
