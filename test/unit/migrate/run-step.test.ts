import { expect } from 'chai';
import { runStep } from '../../../deploy/migrate/run-step.js';
import { ConfigurationError } from '../../../shared/kernel/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { rejection } from '../../support/rejection.js';

describe('a step of a migration', () => {
  function failing(errors: Error[]) {
    return { name: 'step', run: async () => {
      const error = errors.shift();
      if (error) throw error;
      return 'done';
    } };
  }
  const starting = () => new DependencyError('journal', 'still starting', { retryAfterSeconds: 0.001 });

  it('is tried again while its server is starting', async () => {
    const waits: unknown[] = [];
    const did = await runStep(failing([starting(), starting()]), { waitMs: 60_000, onWait: (error, nextMs) => waits.push([error.message, nextMs]) });
    expect(did).to.equal('done');
    expect(waits).to.deep.equal([['still starting', 1], ['still starting', 1]]);
  });

  it('fails with what no waiting mends', async () => {
    const step = failing([new ConfigurationError(['wrong password'])]);
    const onWait = () => expect.fail('waited');
    expect(await rejection(runStep(step, { waitMs: 60_000, onWait }))).to.be.instanceOf(ConfigurationError);
  });

  it('fails when its time is over', async () => {
    expect((await rejection(runStep(failing([starting()]), { waitMs: 0, onWait: () => undefined }))).message).to.equal('still starting');
  });
});
