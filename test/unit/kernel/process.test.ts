import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config.js';
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
  const host: ProcessHost = { on: (event, listener) => listeners.set(event, listener), exit, stderr: { write: (text) => written.push(text) } };
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
    void runProcess(host, running(async () => void (stopped += 1)));
    emit('SIGTERM');
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
    const run = runProcess(host, running(async () => void (stopped += 1)));
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
    expect(written.join('')).to.equal('The configuration cannot be used:\n  - PORT must be a whole number, not "x"\n');
  });
});
