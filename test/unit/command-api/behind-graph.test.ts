import { expect } from 'chai';
import { type GraphState, requireWholeGraph, withBehindGraph } from '../../../command-api/command-runner.js';
import { ConflictError, DependencyError, NotFoundError, ValidationError } from '../../../shared/kernel/errors.js';
import { rejection } from '../../support/checks/rejection.js';

/** `now` differs from `last` where the graph was lost after the last comparison. */
const stateOf = (now: boolean, last = now) => ({ isBehind: () => last, isBehindNow: () => Promise.resolve(now) });
const answer = (state: GraphState, error: Error) => rejection(withBehindGraph(state, () => Promise.reject(error)));

describe('graph behind its journal', () => {
  it('makes absent memories and conflicts a retryable failure', async () => {
    for (const error of [new NotFoundError('Memory not found'), new ConflictError('Others changed it')]) {
      const refused = await answer(stateOf(true), error);
      expect(refused).to.be.instanceOf(DependencyError);
      expect(refused).to.include({ cause: error, retryAfterSeconds: 5 });
    }
  });

  it('compares before a memory is called absent', async () => {
    expect(await answer(stateOf(true, false), new NotFoundError('Memory not found'))).to.be.instanceOf(DependencyError);
  });

  it('changes no other failure, and none of a whole graph', async () => {
    const invalid = new ValidationError('Too long');
    expect(await answer(stateOf(true), invalid)).to.equal(invalid);
    const absent = new NotFoundError('Memory not found');
    expect(await answer(stateOf(false), absent)).to.equal(absent);
  });

  it('refuses commands that skip absent memories', () => {
    expect(() => requireWholeGraph(stateOf(true))).to.throw(DependencyError, 'rebuilt from the journal');
    expect(() => requireWholeGraph(stateOf(false))).not.to.throw();
  });
});
