import { expect } from 'chai';
import type { DerivedAssociation } from '../../../../shared/contract/association.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import {
  type EnrichmentTestDeployment,
  openEnrichmentTestDeployment,
  storedAt,
} from '../../../support/adapters/enrichment-test-deployment.js';
import { memoryId } from '../../../support/fixtures/memories.js';

const { signal } = new AbortController();

describe('derived associations', () => {
  let deployment: EnrichmentTestDeployment;
  beforeEach(async () => {
    deployment = await openEnrichmentTestDeployment();
  });
  afterEach(() => deployment.close());

  /** The associations derived for the last event, after all events are indexed. */
  async function derived(
    type: DerivedAssociation['type'],
    events: readonly RecordedEvent[],
    variables = {},
  ): Promise<readonly DerivedAssociation[]> {
    await deployment.apply(events);
    await deployment.enricher({}, variables).project(events.slice(-1), signal);
    return (
      deployment.recorder
        .of('enriched')
        .at(-1)
        ?.derived.filter((each) => each.type === type) ?? []
    );
  }
  const targets = (found: readonly DerivedAssociation[]) => found.map(({ target }) => Number(target.slice(-12)));

  it('lead to the five predecessors by timestamp, the nearest strongest', async () => {
    const earlier = [3, 1, 6, 5, 2, 4].map((number) => storedAt(number, number));
    const found = await derived('PRECEDED_BY', [...earlier, storedAt(9, 30), storedAt(7, 20)]);
    expect(targets(found)).to.deep.equal([6, 5, 4, 3, 2]);
    expect(found.map(({ strength }) => strength)).to.deep.equal([0.5, 0.4, 0.3, 0.2, 0.1]);
    expect(found[0]?.properties).to.deep.equal({ count: 1 });
  });

  it('exclude equal times, a week before, archived memories and patterns', async () => {
    const [week, inWeek] = ['2024-06-03T08:19:59+00:00', '2024-06-03T08:20:00+00:00'];
    const found = await derived('PRECEDED_BY', [
      storedAt(1, 20),
      storedAt(2, 0, { timestamp: week }),
      storedAt(3, 0, { timestamp: inWeek }),
      storedAt(4, 10, { archived: true }),
      storedAt(5, 11, { type: 'MetaPattern' }),
      storedAt(7, 20),
    ]);
    expect(targets(found)).to.deep.equal([3]);
  });

  for (const [before, at] of [
    ['2024-06-10T08:00:00.499999+00:00', '2024-06-10T08:00:00.500000+00:00'],
    ['2024-06-10T07:59:59.999999+00:00', '2024-06-10T08:00:00+00:00'],
    ['2024-06-10T08:00:00+00:00', '2024-06-10T08:00:00.000001+00:00'],
  ] as const) {
    it(`lead from ${at} to a microsecond earlier`, async () => {
      const found = await derived('PRECEDED_BY', [
        storedAt(1, 0, { timestamp: at }),
        storedAt(2, 0, { timestamp: before }),
        storedAt(3, 0, { timestamp: at }),
      ]);
      expect(targets(found)).to.deep.equal([2]);
    });
  }

  it('lead to similar memories, with their similarity as strength', async () => {
    const found = await derived('SIMILAR_TO', [
      storedAt(1, 1, { content: 'dark roasted coffee beans' }),
      storedAt(2, 2, { content: 'dark roasted coffee' }),
      storedAt(3, 3, { content: 'a train to Bergen' }),
      storedAt(4, 4, { content: 'dark roasted coffee beans' }),
    ]);
    expect(targets(found)).to.deep.equal([1, 2]);
    expect(found[0]).to.deep.include({ strength: 1, properties: { score: 1 } });
    expect(found[1]?.strength)
      .to.be.closeTo(Math.sqrt(3) / 2, 1e-6)
      .and.equal(found[1]?.properties['score']);
  });

  it('respect the configured threshold and limit', async () => {
    const events = [1, 2, 3, 4].map((number) => storedAt(number, number, { content: 'the same words' }));
    expect(
      await derived('SIMILAR_TO', [...events.slice(0, 2), storedAt(5, 5, { content: 'the same kind' })], {
        ENRICHMENT_SIMILARITY_THRESHOLD: '0.7',
      }),
    ).to.deep.equal([]);
    expect(
      targets(
        await derived('SIMILAR_TO', [storedAt(5, 5, { content: 'the same kind', version: 3 })], {
          ENRICHMENT_SIMILARITY_THRESHOLD: '0.6',
        }),
      ),
    ).to.deep.equal([1, 2]);
    expect(targets(await derived('SIMILAR_TO', events, { ENRICHMENT_SIMILARITY_LIMIT: '2' }))).to.deep.equal([1, 2]);
  });

  it('use the vector that a caller supplied', async () => {
    const vector = Float32Array.from({ length: 64 }, (_, place) => (place === 5 ? 1 : 0));
    await deployment.cache.put(
      [1, 2].map((number) => ({ ref: `supplied:${number}`, memoryId: memoryId(number), vector })),
    );
    const found = await derived('SIMILAR_TO', [
      storedAt(1, 1, { content: 'one', vectorRef: 'supplied:1' }),
      storedAt(2, 2, { content: 'other', vectorRef: 'supplied:2' }),
    ]);
    expect(targets(found)).to.deep.equal([1]);
  });

  it('have no neighbours when the vector indexer has a dead letter', async () => {
    await deployment.apply([storedAt(1, 1, { content: 'the same words' })]);
    const event = storedAt(2, 2, { content: 'the same words' });
    await deployment.graphWriter.apply([event]);
    const { id: eventId, subject, type, version, position } = event;
    await deployment.deadLetters.add({
      projector: 'vector-indexer',
      eventId,
      subject,
      type,
      version,
      position,
      reason: 'bad',
      attempts: 2,
      at: '2024-06-01T00:00:00+00:00',
    });
    await deployment.enricher().project([event], signal);
    expect(deployment.recorder.of('enriched')[0]?.derived.map(({ type: derivedType }) => derivedType)).to.deep.equal([
      'PRECEDED_BY',
    ]);
  });
});
