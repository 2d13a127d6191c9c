/** The enricher and points that the vector index lost, or never gets. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import {
  type EnrichmentTestDeployment,
  openEnrichmentTestDeployment,
  storedAt,
} from '../../../support/adapters/enrichment-test-deployment.js';
import { rejection } from '../../../support/checks/rejection.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { RUNNING_INDEXER } from '../../../support/fixtures/projector-states.js';

const { signal } = new AbortController();

describe('enricher without points', () => {
  let deployment: EnrichmentTestDeployment;
  let events: readonly RecordedEvent[];
  beforeEach(async () => {
    deployment = await openEnrichmentTestDeployment();
    events = [1, 2].map((number) => ({
      ...storedAt(number, number, { content: 'Dark roasted coffee.' }),
      position: 10 * number,
    }));
    await deployment.graphWriter.apply(events);
  });
  afterEach(() => deployment.close());

  const enriched = async () =>
    (await deployment.graph.memories([memoryId(1), memoryId(2)])).map(({ memory }) => memory.enriched);
  const project = () => deployment.enricher().project(events, signal);
  const indexerReached = (position: number, instance = 'one') =>
    deployment.states.save({
      ...RUNNING_INDEXER,
      instance,
      position,
    });

  it('enriches a memory that the indexer passed, without neighbours', async () => {
    await indexerReached(20);
    await project();
    expect(await enriched()).to.deep.equal([true, true]);
    const findings = deployment.recorder.of('enriched').map((command) => command.findings['semantic_neighbors']);
    expect(findings).to.deep.equal([[], []]);
  });

  it('waits for a memory that the slowest indexer has not reached', async () => {
    await indexerReached(20);
    await indexerReached(19, 'two');
    expect(await rejection(project())).to.be.instanceOf(DependencyError);
    expect(await enriched()).to.deep.equal([true, false]);
  });

  it('waits for the event of the present version, not for an earlier one', async () => {
    const newer = { ...storedAt(2, 2, { version: 2, content: 'Newer.' }), position: 30 };
    await deployment.graphWriter.apply([newer]);
    await deployment.append([...Array.from({ length: 29 }, (_, n) => storedAt(100 + n, 0)), newer]);
    await indexerReached(29);
    expect(await rejection(project())).to.be.instanceOf(DependencyError);
    await indexerReached(30);
    await project();
    expect(await enriched()).to.deep.equal([true, true]);
  });

  it('takes the neighbours of a point that comes with the position', async () => {
    const { versions } = deployment.vectors;
    let reads = 0;
    await deployment
      .enricher({
        vectors: {
          ...deployment.vectors,
          versions: async (ids) => {
            const found = await versions(ids);
            if (++reads > 1) return found;
            await deployment.index(events);
            await indexerReached(20);
            return found;
          },
        },
      })
      .project(events, signal);
    const findings = deployment.recorder.of('enriched').map((command) => command.findings['semantic_neighbors']);
    expect(findings.flat()).not.to.deep.equal([]);
  });
});
