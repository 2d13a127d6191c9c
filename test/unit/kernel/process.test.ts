import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { EXIT, type ProcessHost, type Running, runProcess } from '../../../shared/kernel/process.js';

/** A process whose signals the test sends and whose exit is a promise. */
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
    stdout: { write: () => undefined, on: () => undefined },
    stderr: { write: (text) => written.push(text), on: () => undefined },
  };
  return { host, exited, written, emit: (event: string, reason?: unknown) => listeners.get(event)?.(reason) };
}

function running(stop: () => Promise<void>, stopDeadlineMs = 5_000): () => Promise<Running> {
  return () => Promise.resolve({ logger: silentLogger, stop, stopDeadlineMs });
}

const never = () => new Promise<void>(() => undefined);

describe('runProcess', () => {
  it('stops in order after a signal and exits with 0', async () => {
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

  it('stops in order when no client is left and exits with 0', async () => {
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

  it('stops in order when it cannot go on and exits with a failure', async () => {
    const { host, exited } = createHost();
    let stopped = 0;
    void runProcess(host, async () => ({
      logger: silentLogger,
      stop: async () => void (stopped += 1),
      stopDeadlineMs: 5_000,
      failed: Promise.resolve('another history'),
    }));
    expect(await exited).to.equal(EXIT.failed);
    expect(stopped).to.equal(1);
  });

  it('exits immediately after a second signal', async () => {
    const { host, exited, emit } = createHost();
    void runProcess(host, running(never));
    emit('SIGINT');
    emit('SIGINT');
    expect(await exited).to.equal(EXIT.forced);
  });

  it('exits with a failure when stopping exceeds the deadline', async () => {
    const { host, exited, emit } = createHost();
    void runProcess(host, running(never, 1));
    emit('SIGTERM');
    expect(await exited).to.equal(EXIT.failed);
  });

  it('stops in order after an unhandled rejection and exits with a failure', async () => {
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

  it('prints a problem of the configuration without a stack', async () => {
    const { host, exited, written } = createHost();
    void runProcess(host, () => Promise.reject(new ConfigurationError(['PORT must be a whole number, not "x"'])));
    expect(await exited).to.equal(EXIT.failed);
    expect(written.join('')).to.equal('The configuration cannot be used: PORT must be a whole number, not "x"\n');
  });

  it('prints only the message of our own errors and the stack of a bug', async () => {
    const own = createHost();
    void runProcess(own.host, () => Promise.reject(new DependencyError('graph', 'The graph is gone: start it')));
    expect(await own.exited).to.equal(EXIT.failed);
    expect(own.written.join('')).to.equal('The graph is gone: start it\n');

    const bug = createHost();
    void runProcess(bug.host, () => Promise.reject(new Error('oops')));
    await bug.exited;
    expect(bug.written.join('')).to.match(/^Error: oops\n +at /u);
  });

  it('aborts its start immediately after a signal', async () => {
    const { host, exited, written, emit } = createHost();
    void runProcess(
      host,
      (shutdownSignal) =>
        new Promise((_, reject) => {
          shutdownSignal.addEventListener('abort', () => reject(shutdownSignal.reason as Error));
        }),
    );
    emit('SIGTERM');
    expect(await exited).to.equal(EXIT.stopped);
    expect(written).to.be.empty;
  });

  it('stops a service that starts just after the signal', async () => {
    const { host, exited, emit } = createHost();
    let stopped = 0;
    void runProcess(
      host,
      (shutdownSignal) =>
        new Promise((resolve) => {
          shutdownSignal.addEventListener('abort', () =>
            resolve({ logger: silentLogger, stop: async () => void (stopped += 1), stopDeadlineMs: 5_000 }),
          );
        }),
    );
    emit('SIGTERM');
    expect(await exited).to.equal(EXIT.stopped);
    expect(stopped).to.equal(1);
  });
});
