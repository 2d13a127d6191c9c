import { expect } from 'chai';
import { requireWholeGraph, withBehindGraph } from '../../../command-api/behind-graph.js';
import { ConflictError, DependencyError, NotFoundError, ValidationError } from '../../../shared/kernel/errors.js';
import { rejection } from '../../support/checks/rejection.js';

const answer = (isBehind: boolean, error: Error) =>
  rejection(
    withBehindGraph(
      () => isBehind,
      () => Promise.reject(error),
    ),
  );

describe('graph behind its journal', () => {
  it('makes absent memories and conflicts a retryable failure', async () => {
    for (const error of [new NotFoundError('Memory not found'), new ConflictError('Others changed it')]) {
      const refused = await answer(true, error);
      expect(refused).to.be.instanceOf(DependencyError);
      expect(refused).to.include({ cause: error, retryAfterSeconds: 5 });
    }
  });

  it('changes no other failure, and none of a whole graph', async () => {
    const invalid = new ValidationError('Too long');
    expect(await answer(true, invalid)).to.equal(invalid);
    const absent = new NotFoundError('Memory not found');
    expect(await answer(false, absent)).to.equal(absent);
  });

  it('refuses commands that skip absent memories', () => {
    expect(() => requireWholeGraph(() => true)).to.throw(DependencyError, 'rebuilt from the journal');
    expect(() => requireWholeGraph(() => false)).not.to.throw();
  });
});
