import { expect } from 'chai';
import { PoisonedEventsError } from '../../../projectors/poisoned-events-error.js';
import type { Projector } from '../../../projectors/projector.js';
import { runProjector, STATE_SAVE_MS, type RunningProjector } from '../../../projectors/run-projector.js';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { DependencyError, PoisonError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { openProjections, type Projections } from '../../support/projections.js';
import { until } from '../../support/until.js';
import { createHandFedSource, stored, type HandFedSource } from '../../support/projectors.js';

describe('a running projector', () => {
  let projections: Projections;
  let source: HandFedSource;
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
    source = createHandFedSource();
    const clock = { now: () => new Date('2024-06-01T00:00:00Z') };
    running = await runProjector({ projector, source, ...projections, logger: silentLogger, clock, instance: 'test' });
  });
  afterEach(async () => {
    await running.close();
    await projections.close();
  });

  const letters = () => projections.deadLetters.list({ projector: 'recording', afterId: 0, limit: 10 });
  const isNumber = ({ subject }: RecordedEvent, number: number): boolean => Number(subject.slice(-12)) === number;

  /** With the positions that the journal gave them. */
  const journalled = async (events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
    await projections.append(events);
    return projections.journal.read({ after: 0, limit: events.length });
  };

  it('passes on what it handles, and only that', async () => {
    const other = { ...stored(3), type: 'association.created', data: null } as const;
    await source.deliver([stored(1), other, stored(2)]);
    await source.deliver([other]);
    expect(batches).to.deep.equal([['1v1', '2v1']]);
  });

  it('sets the one event aside that can never be projected, and projects its neighbours', async () => {
    refuse = (event) => (isNumber(event, 2) ? new PoisonError('no index can hold it') : null);
    await source.deliver([stored(1), stored(2), stored(3)]);
    expect(batches).to.deep.equal([['1v1'], ['3v1']]);
    const [letter, ...others] = await letters();
    expect(letter).to.include({ subject: stored(2).subject, version: 1, reason: 'no index can hold it', attempts: 2 });
    expect(others).to.deep.equal([]);
    expect(running.status()).to.include({ handled: 2, failed: 1, lastError: 'no index can hold it' });
  });

  it('leaves what was set aside alone when it is delivered again, and takes what is newer', async () => {
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

  it("says how long its share may be nobody's after its last sign of life: until the next is due, and then as its stream says", async () => {
    const [state] = await projections.states.list();
    expect(state?.takeoverMs).to.equal(STATE_SAVE_MS + source.takeoverMs);
  });

  it('treats a bug like poison, so that it holds up nobody else', async () => {
    refuse = (event) => (isNumber(event, 1) ? new TypeError('undefined is not a function') : null);
    await source.deliver([stored(1), stored(2)]);
    expect(await letters()).to.have.length(1);
    expect(batches).to.deep.equal([['2v1']]);
  });

  it('hands a failure that may pass to the source, and sets nothing aside', async () => {
    refuse = () => new DependencyError('vectors', 'down');
    const outcome = await source.deliver([stored(1)]).then(
      () => 'resolved',
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(DependencyError);
    expect(await letters()).to.deep.equal([]);
    expect(running.status()).to.include({ handled: 0, lastError: 'down' });
  });

  it('hands on a failure that may pass also while it looks for the poison', async () => {
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

  it('settles the dead letter of a memory when a newer event of it is projected, not when an older one is', async () => {
    refuse = ({ version }) => (version === 2 ? new PoisonError('bad') : null);
    await source.deliver([stored(1, { version: 2 })]);
    await source.deliver([stored(1, { version: 1 })]);
    expect(await letters()).to.have.length(1);
    await source.deliver([stored(1, { version: 3 })]);
    expect(await letters()).to.deep.equal([]);
  });

  it('saves what it has done when it is closed', async () => {
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

  it('stands still while somebody wants it to, and says so', async () => {
    await projections.states.setPaused('recording', true);
    await until('it is paused', () => running.status().paused && source.isPaused());
    await projections.states.setPaused('recording', false);
    await until('it goes on', () => !running.status().paused && !source.isPaused());
  });

  it('tries a dead letter again when it is asked to, and counts the attempt that fails', async () => {
    refuse = () => new PoisonError('bad');
    await source.deliver(await journalled([stored(1)]));
    const redrive = async (): Promise<void> =>
      projections.deadLetters.requestRedrive((await letters()).map(({ id }) => id));
    await redrive();
    await until('the attempt has failed', async () => (await letters())[0]?.attempts === 3);
    refuse = () => null;
    await redrive();
    await until('the letter is settled', async () => (await letters()).length === 0);
    expect(batches).to.deep.equal([['1v1']]);
  });

  it('keeps what was asked while the attempt may succeed later', async () => {
    refuse = () => new PoisonError('bad');
    await source.deliver(await journalled([stored(1)]));
    refuse = () => new DependencyError('vectors', 'down');
    await projections.deadLetters.requestRedrive((await letters()).map(({ id }) => id));
    await until('the attempt was made', () => running.status().lastError === 'down');
    await until('it is asked for again', async () => (await letters())[0]?.awaitsRedrive === true);
    refuse = () => null;
    await until('the letter is settled', async () => (await letters()).length === 0);
  });

  it('says how much it does a second', async () => {
    await source.deliver([stored(1), stored(2)]);
    expect(running.status().ratePerSecond).to.be.greaterThan(0);
  });

  it('sets aside what the projector has found to be poison, with its attempts, and takes the rest for projected', async () => {
    refuse = () => new PoisonedEventsError([{ eventId: stored(2).id, reason: 'tried in vain', attempts: 7 }]);
    await source.deliver([stored(1), stored(2), stored(3)]);
    const [letter, ...others] = await letters();
    expect(letter).to.include({ eventId: stored(2).id, version: 1, reason: 'tried in vain', attempts: 7 });
    expect(others).to.deep.equal([]);
    expect(running.status()).to.include({ handled: 2, failed: 1, lastError: 'tried in vain' });
  });
});
