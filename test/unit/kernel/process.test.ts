import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { EXIT, runProcess, type ProcessHost, type Running } from '../../../shared/kernel/process.js';

/** A process whose signals are given by hand and whose end is a promise. */
function createHost() {
  const listeners = new Map<string, (reason: unknown) => void>();
  const written: string[] = [];
  let exit: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    exit = resolve;
  });
  const host: ProcessHost = {
    on: (event, listener) => listeners.set(event, listener),
    exit,
    stderr: { write: (text) => written.push(text) },
  };
  return { host, exited, written, emit: (event: string, reason?: unknown) => listeners.get(event)?.(reason) };
}

function running(stop: () => Promise<void>, stopDeadlineMs = 5_000): () => Promise<Running> {
  return () => Promise.resolve({ logger: silentLogger, stop, stopDeadlineMs });
}

const never = () => new Promise<void>(() => undefined);

describe('a process', () => {
  it('stops in order when it is told to, and exits with 0', async () => {
    const { host, exited, emit } = createHost();
    let stopped = 0;
    void runProcess(
      host,
      running(async () => void (stopped += 1)),
    );
    emit('SIGTERM');
    expect(await exited).to.equal(EXIT.stopped);
    expect(stopped).to.equal(1);
  });

  it('stops in order when nobody is left to serve, and exits with 0', async () => {
    const { host, exited } = createHost();
    let stopped = 0;
    void runProcess(host, async () => ({
      logger: silentLogger,
      stop: async () => void (stopped += 1),
      stopDeadlineMs: 5_000,
      ended: Promise.resolve('stdin has ended'),
    }));
    expect(await exited).to.equal(EXIT.stopped);
    expect(stopped).to.equal(1);
  });

  it('does not wait for its end after a second signal', async () => {
    const { host, exited, emit } = createHost();
    void runProcess(host, running(never));
    emit('SIGINT');
    emit('SIGINT');
    expect(await exited).to.equal(EXIT.forced);
  });

  it('ends with a failure when stopping takes longer than the deadline', async () => {
    const { host, exited, emit } = createHost();
    void runProcess(host, running(never, 1));
    emit('SIGTERM');
    expect(await exited).to.equal(EXIT.failed);
  });

  it('stops in order after a rejection that nothing handled, and exits with a failure', async () => {
    const { host, exited, emit } = createHost();
    let stopped = 0;
    const run = runProcess(
      host,
      running(async () => void (stopped += 1)),
    );
    await Promise.resolve();
    emit('unhandledRejection', new Error('lost'));
    expect(await exited).to.equal(EXIT.failed);
    await run;
    expect(stopped).to.equal(1);
  });

  it('says what is wrong with the configuration, without a stack', async () => {
    const { host, exited, written } = createHost();
    void runProcess(host, () => Promise.reject(new ConfigurationError(['PORT must be a whole number, not "x"'])));
    expect(await exited).to.equal(EXIT.failed);
    expect(written.join('')).to.equal('The configuration cannot be used: PORT must be a whole number, not "x"\n');
  });

  it('says in one line what our own errors say, and shows where a bug is', async () => {
    const told = createHost();
    void runProcess(told.host, () => Promise.reject(new DependencyError('graph', 'The graph is gone: start it')));
    expect(await told.exited).to.equal(EXIT.failed);
    expect(told.written.join('')).to.equal('The graph is gone: start it\n');

    const bug = createHost();
    void runProcess(bug.host, () => Promise.reject(new Error('oops')));
    await bug.exited;
    expect(bug.written.join('')).to.match(/^Error: oops\n +at /u);
  });

  it('gives up its start at once when it is told to stop', async () => {
    const { host, exited, written, emit } = createHost();
    void runProcess(
      host,
      (told) =>
        new Promise((_, reject) => {
          told.addEventListener('abort', () => reject(told.reason as Error));
        }),
    );
    emit('SIGTERM');
    expect(await exited).to.equal(EXIT.stopped);
    expect(written).to.be.empty;
  });

  it('stops what had just started when it was told to', async () => {
    const { host, exited, emit } = createHost();
    let stopped = 0;
    void runProcess(
      host,
      (told) =>
        new Promise((resolve) => {
          told.addEventListener('abort', () =>
            resolve({ logger: silentLogger, stop: async () => void (stopped += 1), stopDeadlineMs: 5_000 }),
          );
        }),
    );
    emit('SIGTERM');
    expect(await exited).to.equal(EXIT.stopped);
    expect(stopped).to.equal(1);
  });
});
