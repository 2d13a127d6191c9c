import { expect } from 'chai';
import type { EnrichmentCommand, RecordEnrichments } from '../../../../shared/contract/enrichment.js';
import type { RecordedEvent } from '../../../../shared/contract/events.js';
import { runProjector, type RunningProjector } from '../../../../projectors/run-projector.js';
import { DependencyError, ValidationError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { openEnrichmentGround, storedAt, type EnrichmentGround } from '../../../support/enrichment-ground.js';
import { createHandFedSource, type HandFedSource } from '../../../support/projectors.js';
import { rejection } from '../../../support/rejection.js';
import { memoryId } from '../../../support/vectors.js';

describe('a failing enrichment', () => {
  let ground: EnrichmentGround;
  let source: HandFedSource;
  let running: RunningProjector | undefined;
  let events: readonly RecordedEvent[];
  beforeEach(async () => {
    ground = await openEnrichmentGround();
    source = createHandFedSource();
    events = [storedAt(1, 0), storedAt(2, 1), storedAt(3, 2)];
    await ground.hold(events);
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    await ground.close();
  });

  async function run(
    overrides: Parameters<EnrichmentGround['enricher']>[0],
    variables?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const projector = ground.enricher(overrides, variables);
    running = await runProjector({
      projector,
      source,
      ...ground,
      logger: silentLogger,
      clock: { now: () => new Date('2024-06-10T12:00:00Z') },
      instance: 'test',
    });
  }
  /** Reads of the graph that fail for what came before the memory at that minute. */
  function failingAt(minute: string, error: () => Error | null): EnrichmentGround['graph'] {
    const trending: EnrichmentGround['graph']['trending'] = async (request) => {
      const problem = request.filter.end?.includes(`T08:${minute}`) ? error() : null;
      if (problem) throw problem;
      return ground.graph.trending(request);
    };
    return { ...ground.graph, trending };
  }
  const isEnriched = async () =>
    (await ground.graph.memories([1, 2, 3].map(memoryId))).map(({ memory }) => memory.enriched);
  const letters = () => ground.deadLetters.list({ projector: 'enricher', afterId: 0, limit: 10 });
  const before2nd = '00:59';

  it('is tried as often as it may, then recorded and set aside with the true number of attempts; the others are done', async () => {
    await run({ graph: failingAt(before2nd, () => new TypeError('no such thing')) });
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, false, true]);
    expect(ground.books.of('failed')).to.deep.equal([
      {
        kind: 'failed',
        id: memoryId(2),
        expectedVersion: 1,
        causationId: events[1]?.id,
        attempts: 3,
        error: 'no such thing',
      },
    ]);
    const [letter, ...others] = await letters();
    expect(letter).to.include({ eventId: events[1]?.id, version: 1, reason: 'no such thing', attempts: 3 });
    expect(others).to.deep.equal([]);
    expect(running?.status()).to.deep.include({ handled: 2, failed: 1, lastError: 'no such thing' });
    expect(running?.status().detail).to.include({
      successes: 2,
      failures: 1,
      inflight: 0,
      last_success_id: memoryId(3),
    });
  });

  it('is no failure when a later attempt succeeds', async () => {
    let failures = 2;
    await run({ graph: failingAt(before2nd, () => (failures-- > 0 ? new Error('not yet') : null)) });
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, true, true]);
    expect(await letters()).to.deep.equal([]);
  });

  it('is tried as often as is configured', async () => {
    let tries = 0;
    await run({ graph: failingAt(before2nd, () => new Error(`try ${++tries}`)) }, { ENRICHMENT_MAX_ATTEMPTS: '5' });
    await source.deliver(events);
    expect(await letters()).to.have.nested.property('[0].attempts', 5);
    expect(tries).to.equal(5);
  });

  it('is left to the source when it may pass, and the others are recorded all the same', async () => {
    let isDown = true;
    await run({ graph: failingAt(before2nd, () => (isDown ? new DependencyError('graph', 'away') : null)) });
    expect(await rejection(source.deliver(events))).to.be.instanceOf(DependencyError);
    expect(await isEnriched()).to.deep.equal([true, false, true]);
    isDown = false;
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, true, true]);
    expect(ground.books.of('failed')).to.deep.equal([]);
  });

  it('is left to the source when the command side is away', async () => {
    await run({ record: () => Promise.reject(new DependencyError('commands', 'away')) });
    expect(await rejection(source.deliver(events))).to.be.instanceOf(DependencyError);
    expect(await letters()).to.deep.equal([]);
  });

  it('is that of one memory when the command side refuses one', async () => {
    const refusing: RecordEnrichments = async (commands) => {
      const refused = (command: EnrichmentCommand): boolean =>
        command.kind === 'enriched' && command.id === memoryId(2);
      if (commands.some(refused)) throw new ValidationError('too much of it');
      return ground.books.record(commands);
    };
    await run({ record: refusing });
    await source.deliver(events);
    expect(await isEnriched()).to.deep.equal([true, false, true]);
    expect(await letters()).to.have.nested.property('[0].reason', 'too much of it');
  });

  it('tells watchers how each attempt went', async () => {
    let failures = 1;
    await run({ graph: failingAt(before2nd, () => (failures-- > 0 ? new Error('x'.repeat(200)) : null)) });
    await source.deliver(events);
    const told = ground.frames
      .filter(({ data }) => data['memory_id'] === memoryId(2))
      .map(({ type, data: { elapsed_ms: _, ...data } }) => ({ type, data }));
    const data = { memory_id: memoryId(2) };
    expect(told).to.deep.equal([
      { type: 'enrichment.start', data: { ...data, attempt: 1 } },
      { type: 'enrichment.failed', data: { ...data, error: 'x'.repeat(100), attempt: 1, will_retry: true } },
      { type: 'enrichment.start', data: { ...data, attempt: 2 } },
      { type: 'enrichment.complete', data: { ...data, success: true, skipped: false } },
    ]);
  });
});
