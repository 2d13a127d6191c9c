import { expect } from 'chai';
import { type RunningProjector, runProjector } from '../../../../projectors/run-projector.js';
import type { EnrichmentCommand, RecordEnrichments } from '../../../../shared/contract/enrichment.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { DependencyError, PoisonError, ValidationError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import {
  type EnrichmentTestDeployment,
  openEnrichmentTestDeployment,
  storedAt,
} from '../../../support/adapters/enrichment-test-deployment.js';
import { rejection } from '../../../support/checks/rejection.js';
import { memoryId } from '../../../support/fixtures/memories.js';
import { createManualEventSource, type ManualEventSource } from '../../../support/fixtures/projector-events.js';

describe('failing enrichment', () => {
  let deployment: EnrichmentTestDeployment;
  let source: ManualEventSource;
  let running: RunningProjector | undefined;
  let events: readonly RecordedEvent[];
  beforeEach(async () => {
    deployment = await openEnrichmentTestDeployment();
    source = createManualEventSource();
    events = [storedAt(1, 0), storedAt(2, 1), storedAt(3, 2)];
    await deployment.apply(events);
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    await deployment.close();
  });

  async function run(
    overrides: Parameters<EnrichmentTestDeployment['enricher']>[0],
    variables?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const projector = deployment.enricher(overrides, variables);
    running = await runProjector({
      projector,
      source,
      ...deployment,
      logger: silentLogger,
      clock: { now: () => new Date('2024-06-10T12:00:00Z') },
      instance: 'test',
    });
  }
  /** A graph whose read of the predecessors fails for the memory at that minute. */
  function failingAt(minute: string, error: () => Error | null): EnrichmentTestDeployment['graph'] {
    const newestWithin: EnrichmentTestDeployment['graph']['newestWithin'] = async (request) => {
      const isAmong = request.windows.some(({ end }) => end.includes(`T08:${minute}`));
      if (isAmong && request.windows.length > 1) throw new Error('one of them fails');
      const problem = isAmong ? error() : null;
      if (problem) throw problem;
      return deployment.graph.newestWithin(request);
    };
    return { ...deployment.graph, newestWithin };
  }
  const isEnriched = async () =>
    (await deployment.graph.memories([1, 2, 3].map(memoryId))).map(({ memory }) => memory.enriched);
  const letters = () => deployment.deadLetters.list({ projector: 'enricher', afterId: 0, limit: 10 });
  const before2nd = '00:59';

  it('gets a dead letter with its attempts after the last one, alone', async () => {
    await run({ graph: failingAt(before2nd, () => new TypeError('no such thing')) });
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, false, true]);
    expect(deployment.recorder.of('failed')).to.deep.equal([
      {
        kind: 'failed',
        id: memoryId(2),
        expectedVersion: 1,
        causationId: events[1]?.id,
        attempts: 3,
        error: 'Unexpected TypeError: see the log of the process',
      },
    ]);
    const [letter, ...others] = await letters();
    expect(letter).to.include({
      eventId: events[1]?.id,
      version: 1,
      reason: 'Unexpected TypeError: see the log of the process',
      attempts: 3,
    });
    expect(others).to.deep.equal([]);
    expect(running?.status()).to.deep.include({
      handled: 2,
      failed: 1,
      lastError: 'Unexpected TypeError: see the log of the process',
    });
    expect(running?.status().detail).to.include({
      successes: 2,
      failures: 1,
      inflight: 0,
      last_success_id: memoryId(3),
    });
  });

  it('gets no dead letter when a later attempt succeeds', async () => {
    let failures = 2;
    await run({ graph: failingAt(before2nd, () => (failures-- > 0 ? new Error('not yet') : null)) });
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, true, true]);
    expect(await letters()).to.deep.equal([]);
  });

  it('is attempted as often as configured', async () => {
    let tries = 0;
    await run({ graph: failingAt(before2nd, () => new Error(`try ${++tries}`)) }, { ENRICHMENT_MAX_ATTEMPTS: '5' });
    await source.deliver(events);
    expect(await letters()).to.have.nested.property('[0].attempts', 5);
    expect(tries).to.equal(5);
  });

  it('is rethrown when it is retryable, after the other memories are recorded', async () => {
    let isDown = true;
    await run({ graph: failingAt(before2nd, () => (isDown ? new DependencyError('graph', 'away') : null)) });
    expect(await rejection(source.deliver(events))).to.be.instanceOf(DependencyError);
    expect(await isEnriched()).to.deep.equal([true, false, true]);
    isDown = false;
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, true, true]);
    expect(deployment.recorder.of('failed')).to.deep.equal([]);
  });

  it('is rethrown when the command API does not answer', async () => {
    await run({ record: () => Promise.reject(new DependencyError('commands', 'away')) });
    expect(await rejection(source.deliver(events))).to.be.instanceOf(DependencyError);
    expect(await letters()).to.deep.equal([]);
  });

  it('affects one memory when the command API rejects one command', async () => {
    const refusing: RecordEnrichments = async (commands) => {
      const refused = (command: EnrichmentCommand): boolean =>
        command.kind === 'enriched' && command.id === memoryId(2);
      if (commands.some(refused)) throw new ValidationError('too much of it');
      return deployment.recorder.record(commands);
    };
    await run({ record: refusing });
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, false, true]);
    expect(await letters()).to.have.nested.property('[0].reason', 'too much of it');
  });

  it('is reported on the live stream, one frame per attempt', async () => {
    let failures = 1;
    await run({ graph: failingAt(before2nd, () => (failures-- > 0 ? new PoisonError('x'.repeat(200)) : null)) });
    await source.deliver(events);
    const reported = deployment.frames
      .filter(({ data }) => data['memory_id'] === memoryId(2))
      .map(({ type, data: { elapsed_ms: _, ...data } }) => ({ type, data }));
    const data = { memory_id: memoryId(2) };
    expect(reported).to.deep.equal([
      { type: 'enrichment.start', data: { ...data, attempt: 1 } },
      { type: 'enrichment.failed', data: { ...data, error: 'x'.repeat(100), attempt: 1, will_retry: true } },
      { type: 'enrichment.start', data: { ...data, attempt: 2 } },
      { type: 'enrichment.complete', data: { ...data, success: true, skipped: false } },
    ]);
  });
});
