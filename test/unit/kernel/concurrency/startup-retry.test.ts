import { expect } from 'chai';
import { retryStartup, type StartupRetry } from '../../../../shared/kernel/concurrency/startup-retry.js';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';
import { DeadlineError, DependencyError } from '../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { rejection } from '../../../support/checks/rejection.js';

const refused = () =>
  new DependencyError('graph', 'It does not answer', {
    cause: new Error('connect ECONNREFUSED 127.0.0.1:1\nand more'),
  });

function patience(overrides: Partial<StartupRetry> = {}) {
  const lines: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, line: string) => void lines.push(line) };
  return { lines, patience: { logger, signal: new AbortController().signal, timeoutMs: 0, ...overrides } };
}

describe('retryStartup', () => {
  it('repeats a retryable failure and logs the reason and the next wait each time', async () => {
    const { lines, patience: given } = patience();
    let attempts = 0;
    const value = await retryStartup(
      'Neo4j at bolt://x',
      () => ((attempts += 1) < 2 ? Promise.reject(refused()) : Promise.resolve(7)),
      given,
    );
    expect(value).to.equal(7);
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]).to.match(
      /^Neo4j at bolt:\/\/x cannot be used yet: It does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\); next try in 0\.\d s$/u,
    );
  });

  it('tries once when the failure is not retryable', async () => {
    for (const failure of [new ConfigurationError(['NEO4J_PASSWORD is wrong']), new Error('a bug')]) {
      const { lines, patience: given } = patience();
      expect(await rejection(retryStartup('Neo4j', () => Promise.reject(failure), given))).to.equal(failure);
      expect(lines).to.be.empty;
    }
  });

  it('ends immediately at shutdown, during a wait and during an attempt', async () => {
    for (const attempt of [() => Promise.reject(refused()), () => new Promise<never>(() => undefined)]) {
      const stop = new AbortController();
      const { patience: given } = patience({ signal: stop.signal });
      const trying = rejection(retryStartup('Neo4j', attempt, given));
      setImmediate(() => stop.abort());
      expect(await trying).to.equal(stop.signal.reason);
    }
  });

  it('does not start after shutdown', async () => {
    const { patience: given } = patience({ signal: AbortSignal.abort() });
    let attempts = 0;
    await rejection(retryStartup('Neo4j', async () => void (attempts += 1), given));
    expect(attempts).to.equal(0);
  });

  it('fails after the timeout with the last problem', async () => {
    const { patience: given } = patience({ timeoutMs: 20 });
    const error = await rejection(retryStartup('Neo4j', () => Promise.reject(refused()), given));
    expect(error).to.be.instanceOf(DeadlineError);
    expect(error.message).to.contain(
      'Neo4j could not be used within 20 ms (START_TIMEOUT_MS): It does not answer (connect ECONNREFUSED',
    );
  });
});
