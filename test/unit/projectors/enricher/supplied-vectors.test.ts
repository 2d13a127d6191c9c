/** The enricher and vectors that callers supplied to an index of another dimension. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import {
  type EnrichmentTestDeployment,
  openEnrichmentTestDeployment,
  storedAt,
} from '../../../support/adapters/enrichment-test-deployment.js';
import { memoryId } from '../../../support/fixtures/memories.js';

describe('enricher of a memory with a supplied vector', () => {
  let deployment: EnrichmentTestDeployment;
  beforeEach(async () => (deployment = await openEnrichmentTestDeployment()));
  afterEach(() => deployment.close());

  it('uses the content where it does not fit', async () => {
    const ref = 'supplied:of-an-earlier-index';
    await deployment.cache.put([{ ref, memoryId: memoryId(2), vector: new Float32Array(8).fill(1) }]);
    const content = 'Dark roasted coffee.';
    const [first, second] = [storedAt(1, 1, { content }), storedAt(2, 2, { content })];
    const supplied = { ...second, data: { ...second.data, vectorRef: ref } } as RecordedEvent; // the data of a stored memory
    await deployment.apply([first, supplied]);
    await deployment.enricher().project([supplied], new AbortController().signal);
    const findings = deployment.recorder.of('enriched').map((command) => command.findings['semantic_neighbors']);
    expect(findings).to.deep.equal([[{ id: memoryId(1), score: 1 }]]);
  });
});
