import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config.js';
import { DeadlineError, DependencyError } from '../../../shared/kernel/errors.js';
import { keepTrying, type Patience } from '../../../shared/kernel/keep-trying.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/rejection.js';

const refused = () =>
  new DependencyError('graph', 'It does not answer', {
    cause: new Error('connect ECONNREFUSED 127.0.0.1:1\nand more'),
  });

function patience(overrides: Partial<Patience> = {}) {
  const lines: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, line: string) => void lines.push(line) };
  return { lines, patience: { logger, signal: new AbortController().signal, timeoutMs: 0, ...overrides } };
}

describe('the patience of a start', () => {
  it('tries again what waiting can mend, and says each time what is wrong and when it tries next', async () => {
    const { lines, patience: given } = patience();
    let attempts = 0;
    const value = await keepTrying(
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

  it('tries what no waiting mends once', async () => {
    for (const failure of [new ConfigurationError(['NEO4J_PASSWORD is wrong']), new Error('a bug')]) {
      const { lines, patience: given } = patience();
      expect(await rejection(keepTrying('Neo4j', () => Promise.reject(failure), given))).to.equal(failure);
      expect(lines).to.be.empty;
    }
  });

  it('ends at once when the process is told to stop, while it waits and while it tries', async () => {
    for (const attempt of [() => Promise.reject(refused()), () => new Promise<never>(() => undefined)]) {
      const stop = new AbortController();
      const { patience: given } = patience({ signal: stop.signal });
      const trying = rejection(keepTrying('Neo4j', attempt, given));
      setImmediate(() => stop.abort());
      expect(await trying).to.equal(stop.signal.reason);
    }
  });

  it('does not begin once the process was told to stop', async () => {
    const { patience: given } = patience({ signal: AbortSignal.abort() });
    let attempts = 0;
    await rejection(keepTrying('Neo4j', async () => void (attempts += 1), given));
    expect(attempts).to.equal(0);
  });

  it('gives up after the timeout, with what was wrong last', async () => {
    const { patience: given } = patience({ timeoutMs: 20 });
    const error = await rejection(keepTrying('Neo4j', () => Promise.reject(refused()), given));
    expect(error).to.be.instanceOf(DeadlineError);
    expect(error.message).to.contain(
      'Neo4j could not be used within 20 ms (START_TIMEOUT_MS): It does not answer (connect ECONNREFUSED',
    );
  });
});
