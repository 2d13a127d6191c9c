import { expect } from 'chai';
import { DependencyError } from '../../../../../shared/kernel/errors.js';
import { openTemporaryHost, type TemporaryHost } from '../../../../support/adapters/sqlite.js';
import * as procedures from '../../../../support/adapters/sqlite-procedures.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { until } from '../../../../support/checks/until.js';

describe('ended database thread', () => {
  let temporary: TemporaryHost;
  let ends: Error[];
  beforeEach(async () => {
    ends = [];
    temporary = await openTemporaryHost([procedures.notesMigrations], {
      hasThreads: true,
      onThreadEnd: (error) => ends.push(error),
    });
  });
  afterEach(() => temporary.remove());

  it('rejects waiting calls as unknown, and later calls at once', async () => {
    const running = [procedures.endThread, procedures.countCalls].map((called) =>
      rejection(temporary.host.write(called, null)),
    );
    for (const error of await Promise.all(running))
      expect(error).to.include({ code: 'dependency', outcomeUnknown: true });
    expect(await rejection(temporary.host.write(procedures.countCalls, null))).to.include({
      code: 'dependency',
      outcomeUnknown: false,
      retryAfterSeconds: 1,
    });
    expect(ends).to.have.length(1);
    expect(await temporary.host.read(procedures.listNotes, null)).to.deep.equal([]);
  });

  it('starts again in the middle of a write and keeps finished writes', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await temporary.host.write(procedures.addNote, { text: `note ${round}` });
      await rejection(temporary.host.write(procedures.addNoteThenEnd, 'unfinished'));
      expect(await rejection(temporary.host.writable())).to.be.instanceOf(DependencyError);
      await until('the writer runs', () =>
        temporary.host.writable().then(
          () => true,
          () => false,
        ),
      );
    }
    expect(await temporary.host.read(procedures.listNotes, null)).to.have.length(3);
    expect(ends).to.have.length(3);
  });

  it('starts again as a reader', async () => {
    await rejection(temporary.host.read(procedures.endThread, null));
    await until('the reader runs', () =>
      temporary.host.read(procedures.listNotes, null).then(
        () => true,
        () => false,
      ),
    );
  });

  it('starts again as a reader with state, which is prepared each time', async () => {
    let prepared = 0;
    const reader = await temporary.host.openReader('counter', async (read) => {
      prepared += await read(procedures.countCalls, null);
    });
    expect([prepared, await reader.read(procedures.countCalls, null)]).to.deep.equal([1, 2]);
    await rejection(reader.read(procedures.endThread, null));
    expect(await rejection(reader.read(procedures.countCalls, null))).to.include({ retryAfterSeconds: 1 });
    const counted = await until('the reader runs', () => reader.read(procedures.countCalls, null).catch(() => null));
    expect([prepared, counted]).to.deep.equal([2, 2]);
  });

  it('starts again when its state could not be prepared', async () => {
    let attempts = 0;
    const reader = await temporary.host.openReader('counter', async () => {
      if ((attempts += 1) === 2) throw new Error('not this time');
    });
    await rejection(reader.read(procedures.endThread, null));
    await until('the reader runs', () => reader.read(procedures.countCalls, null).catch(() => null));
    expect(attempts).to.equal(3);
  });

  it('refuses a reader whose state cannot be prepared at first', async () => {
    const error = new Error('never');
    expect(await rejection(temporary.host.openReader('counter', () => Promise.reject(error)))).to.equal(error);
  });

  it('does not delay the close of the host', async () => {
    await rejection(temporary.host.write(procedures.endThread, null));
    await temporary.host.close();
    expect(await rejection(temporary.host.write(procedures.countCalls, null))).to.be.instanceOf(DependencyError);
  });
});
