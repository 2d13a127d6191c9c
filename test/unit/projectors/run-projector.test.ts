import { expect } from 'chai';
import { REFUSED_SUBJECTS } from '../../../projectors/event-handler.js';
import { PoisonedEventsError, type Projector } from '../../../projectors/projector.js';
import { type RunningProjector, runProjector, STATE_SAVE_MS } from '../../../projectors/run-projector.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { DependencyError, PoisonError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { openProjections, type Projections } from '../../support/adapters/projections.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { createManualEventSource, type ManualEventSource, stored } from '../../support/fixtures/projector-events.js';

describe('runProjector', () => {
  let projections: Projections;
  let source: ManualEventSource;
  let running: RunningProjector;
  let batches: string[][];
  let refuse: (event: RecordedEvent) => Error | null;

  const projector: Projector = {
    name: 'recording',
    handles: ['memory.stored', 'memory.updated'],
    project: async (events) => {
      const error = events.map((event) => refuse(event)).find((refusal) => refusal !== null);
      if (error) throw error;
      batches.push(events.map(({ subject, version }) => `${Number(subject.slice(-12))}v${version}`));
    },
  };

  beforeEach(async () => {
    batches = [];
    refuse = () => null;
    projections = await openProjections({ dimension: 4 });
    source = createManualEventSource();
    const clock = { now: () => new Date('2024-06-01T00:00:00Z') };
    running = await runProjector({ projector, source, ...projections, logger: silentLogger, clock, instance: 'test' });
  });
  afterEach(async () => {
    await running.close();
    await projections.close();
  });

  const letters = () => projections.deadLetters.list({ projector: 'recording', afterId: 0, limit: 10 });
  const isNumber = ({ subject }: RecordedEvent, number: number): boolean => Number(subject.slice(-12)) === number;

  /** The events with their positions in the journal. */
  const journalled = async (events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
    await projections.append(events);
    return projections.journal.read({ after: 0, limit: events.length });
  };

  it('passes only events of the handled types to the projector', async () => {
    const other = { ...stored(3), type: 'association.created', data: null } as const;
    await source.deliver([stored(1), other, stored(2)]);
    await source.deliver([other]);
    expect(batches).to.deep.equal([['1v1', '2v1']]);
  });

  for (const newer of [
    { ...stored(2), type: 'memory.merged' },
    { ...stored(2), schemaVersion: 2 },
  ] as RecordedEvent[]) {
    it(`waits at ${newer.type} with schema ${newer.schemaVersion}, an event of a newer release`, async () => {
      const error = await rejection(source.deliver([stored(1), newer, stored(3)]));
      expect(error).to.be.instanceOf(DependencyError);
      expect(batches).to.deep.equal([['1v1']]);
      expect(running.status().lastError).to.include(`does not know the event ${newer.type}`);
      expect(await letters()).to.deep.equal([]);
    });
  }

  it('moves a poisoned event to the dead letters and projects the other events', async () => {
    refuse = (event) => (isNumber(event, 2) ? new PoisonError('no index can hold it') : null);
    await source.deliver([stored(1), stored(2), stored(3)]);
    expect(batches).to.deep.equal([['1v1'], ['3v1']]);
    const [letter, ...others] = await letters();
    expect(letter).to.include({ subject: stored(2).subject, version: 1, reason: 'no index can hold it', attempts: 2 });
    expect(others).to.deep.equal([]);
    expect(running.status()).to.include({ handled: 2, failed: 1, lastError: 'no index can hold it' });
  });

  it('skips a redelivered event with a dead letter, and projects newer events', async () => {
    refuse = (event) => (isNumber(event, 2) ? new PoisonError('no index can hold it') : null);
    await source.deliver([stored(2)]);
    refuse = () => null;
    await source.deliver([stored(1), stored(2)]);
    expect(batches).to.deep.equal([['1v1']]);
    expect(await letters()).to.have.length(1);
    await source.deliver([stored(2), { ...stored(2), version: 2 }]);
    expect(batches.at(-1)).to.deep.equal(['2v1', '2v2']);
    expect(await letters()).to.deep.equal([]);
  });

  it('reports takeoverMs as heartbeat interval plus stream takeover', async () => {
    const [state] = await projections.states.list();
    expect(state?.takeoverMs).to.equal(STATE_SAVE_MS + source.takeoverMs);
  });

  describe('with many failures', () => {
    const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
    const count = () => projections.deadLetters.count('recording');

    it('waits when no event of many can be projected', async () => {
      refuse = () => new PoisonError('the collection takes no more points');
      const events = numbers(REFUSED_SUBJECTS).map((number) => stored(number));
      const error = await rejection(source.deliver(events));
      expect(error).to.be.instanceOf(DependencyError).and.to.have.property('message').that.includes('takes no more');
      expect(await count()).to.equal(0);
      refuse = () => null;
      await source.deliver(events);
      expect(batches.flat()).to.have.length(events.length);
    });

    it('waits after a few dead letters when events come one by one', async () => {
      refuse = () => new PoisonError('the collection takes no more points');
      for (const number of numbers(REFUSED_SUBJECTS - 1)) await source.deliver([stored(number)]);
      for (const number of [50, 51]) await rejection(source.deliver([stored(number)]));
      expect(await count()).to.equal(REFUSED_SUBJECTS - 1);
    });

    it('buries all poisoned events next to a projected one', async () => {
      refuse = (event) => (isNumber(event, 50) ? null : new PoisonError('bad'));
      await source.deliver([50, ...numbers(2 * REFUSED_SUBJECTS)].map((number) => stored(number)));
      expect(await count()).to.equal(2 * REFUSED_SUBJECTS);
    });
  });

  it('treats a bug like a poisoned event, so that other events are projected', async () => {
    refuse = (event) => (isNumber(event, 1) ? new TypeError('undefined is not a function') : null);
    await source.deliver([stored(1), stored(2)]);
    expect(await letters()).to.have.length(1);
    expect(batches).to.deep.equal([['2v1']]);
  });

  it('rethrows a retryable error and adds no dead letter', async () => {
    refuse = () => new DependencyError('vectors', 'down');
    const outcome = await source.deliver([stored(1)]).then(
      () => 'resolved',
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(DependencyError);
    expect(await letters()).to.deep.equal([]);
    expect(running.status()).to.include({ handled: 0, lastError: 'down' });
  });

  it('rethrows a retryable error while it isolates a poisoned event', async () => {
    refuse = (event) => (isNumber(event, 1) ? new PoisonError('bad') : null);
    const events = [stored(1), stored(2)];
    await source.deliver(events);
    refuse = (event) => (isNumber(event, 1) ? new PoisonError('bad') : new DependencyError('vectors', 'down'));
    const outcome = await source.deliver(events).then(
      () => 'resolved',
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(DependencyError);
    expect(await letters()).to.have.length(1);
  });

  it('resolves a dead letter when a newer event is projected, not an older one', async () => {
    refuse = ({ version }) => (version === 2 ? new PoisonError('bad') : null);
    await source.deliver([stored(1, { version: 2 })]);
    await source.deliver([stored(1, { version: 1 })]);
    expect(await letters()).to.have.length(1);
    await source.deliver([stored(1, { version: 3 })]);
    expect(await letters()).to.deep.equal([]);
  });

  it('saves its counters when it is closed', async () => {
    await source.deliver([stored(1), stored(2)]);
    await running.close();
    const [state] = await projections.states.list();
    expect(state).to.include({
      name: 'recording',
      instance: 'test',
      position: stored(2).position,
      handled: 2,
      failed: 0,
      paused: false,
      stopped: true,
    });
  });

  it('pauses on request and reports it', async () => {
    await projections.states.setPaused('recording', true);
    await until('it is paused', () => running.status().paused && source.isPaused());
    await projections.states.setPaused('recording', false);
    await until('it goes on', () => !running.status().paused && !source.isPaused());
  });

  it('redrives a dead letter on request, and counts the failing attempt', async () => {
    refuse = () => new PoisonError('bad');
    await source.deliver(await journalled([stored(1)]));
    const redrive = async (): Promise<void> =>
      projections.deadLetters.requestRedrive((await letters()).map(({ id }) => id));
    await redrive();
    await until('the attempt has failed', async () => (await letters())[0]?.attempts === 3);
    refuse = () => null;
    await redrive();
    await until('the letter is resolved', async () => (await letters()).length === 0);
    expect(batches).to.deep.equal([['1v1']]);
  });

  it('keeps a redrive request after a retryable error', async () => {
    refuse = () => new PoisonError('bad');
    await source.deliver(await journalled([stored(1)]));
    refuse = () => new DependencyError('vectors', 'down');
    await projections.deadLetters.requestRedrive((await letters()).map(({ id }) => id));
    await until('the attempt was made', () => running.status().lastError === 'down');
    await until('it is asked for again', async () => (await letters())[0]?.awaitsRedrive === true);
    refuse = () => null;
    await until('the letter is resolved', async () => (await letters()).length === 0);
  });

  it('reports its rate per second', async () => {
    await source.deliver([stored(1), stored(2)]);
    expect(running.status().ratePerSecond).to.be.greaterThan(0);
  });

  it('adds dead letters for events in PoisonedEventsError, with their attempts', async () => {
    refuse = () =>
      new PoisonedEventsError([{ eventId: stored(2).id, error: new PoisonError('tried in vain'), attempts: 7 }]);
    await source.deliver([stored(1), stored(2), stored(3)]);
    const [letter, ...others] = await letters();
    expect(letter).to.include({ eventId: stored(2).id, version: 1, reason: 'tried in vain', attempts: 7 });
    expect(others).to.deep.equal([]);
    expect(running.status()).to.include({ handled: 2, failed: 1, lastError: 'tried in vain' });
  });
});
