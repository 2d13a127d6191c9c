import { expect } from 'chai';
import { Neo4jError } from 'neo4j-driver';
import { graphError, NoAnswerError } from '../../../../../shared/engines/neo4j/connection/neo4j-errors.js';
import { DependencyError } from '../../../../../shared/kernel/errors.js';

describe('Neo4j errors', () => {
  const translated = (code: string): unknown =>
    graphError(new Neo4jError('refused', code, '50N42', 'refused', {} as never), { isWrite: true });

  for (const code of [
    'Neo.ClientError.Transaction.TransactionTimedOut',
    'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration',
    'Neo.ClientError.Transaction.TransactionTerminated',
    'Neo.TransientError.Transaction.DeadlockDetected',
    'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
    'Neo.TransientError.General.OutOfMemoryError',
    'Neo.DatabaseError.Statement.ExecutionFailed',
  ]) {
    it(`reports a reachable graph after ${code.split('.').at(-1)}`, () => {
      expect(translated(code))
        .to.be.instanceOf(DependencyError)
        .and.include({ isReachable: true, outcomeUnknown: false });
    });
  }

  for (const code of [
    'ServiceUnavailable',
    'SessionExpired',
    'Neo.TransientError.General.DatabaseUnavailable',
    'Neo.ClientError.Security.Unauthorized',
    'Neo.ClientError.Cluster.NotALeader',
    'Neo.DatabaseError.Transaction.TransactionLogError',
  ]) {
    it(`reports an unreachable graph after ${code.split('.').at(-1)}`, () => {
      expect(translated(code)).to.be.instanceOf(DependencyError).and.include({ isReachable: false });
    });
  }

  it('reports an unreachable graph and an unknown outcome without an answer', () => {
    expect(graphError(new NoAnswerError(100), { isWrite: true })).to.include({
      isReachable: false,
      outcomeUnknown: true,
    });
  });
});
