import { expect } from 'chai';
import { DatabaseError } from 'pg';
import {
  isConnectionUnusable,
  isRefusal,
  translatePostgresError,
} from '../../../../../shared/engines/postgres/connection/postgres-errors.js';
import { ConfigurationError } from '../../../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../../../shared/kernel/errors.js';

function answer(code: string, severity = 'ERROR'): DatabaseError {
  return Object.assign(new DatabaseError(`said ${code}`, 0, 'error'), { code, severity });
}

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('Postgres errors', () => {
  const passing: readonly Error[] = [
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].map((code) =>
      failure(`connect ${code}`, code),
    ),
    ...[
      '08006',
      '25006',
      '25P03',
      '40001',
      '40P01',
      '53100',
      '53200',
      '53300',
      '55P03',
      '57014',
      '57P01',
      '57P02',
      '57P03',
      '58030',
    ].map((code) => answer(code)),
    ...[
      'Query read timeout',
      'timeout expired',
      'Connection terminated unexpectedly',
      'timeout exceeded when trying to connect',
    ].map((text) => failure(text)),
    failure('Client has encountered a connection error and is not queryable'),
    failure('Connection terminated due to connection timeout'),
    failure('Cannot use a pool after calling end on the pool'),
  ];
  for (const error of passing) {
    it(`are retryable: ${error.message.slice(0, 50)}`, () => {
      const translated = translatePostgresError(error);
      expect(translated)
        .to.be.instanceOf(DependencyError)
        .that.includes({ dependency: 'journal', outcomeUnknown: false, cause: error });
    });
  }

  const lasting: readonly (readonly [Error, RegExp])[] = [
    [answer('28P01', 'FATAL'), /check POSTGRES_URL/u],
    [answer('28000', 'FATAL'), /check POSTGRES_URL/u],
    [answer('3D000', 'FATAL'), /create it/u],
    [answer('42501'), /own the database/u],
    [failure('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), /has no valid one/u],
    [failure('The server does not support SSL connections'), /sslmode/u],
    [failure('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), /sslrootcert/u],
  ];
  for (const [error, advice] of lasting) {
    it(`blame the configuration: ${error.message.slice(0, 45)}`, () => {
      const translated = translatePostgresError(error);
      expect(translated).to.be.instanceOf(ConfigurationError).with.property('message').that.matches(advice);
      expect(translated).to.have.property('cause', error);
    });
  }

  it('name the address only where no server was found', () => {
    const advice = (error: Error) => (translatePostgresError(error) as Error).message;
    expect(advice(failure('connect ECONNREFUSED', 'ECONNREFUSED'))).to.contain('names its host and port');
    expect(advice(failure('timeout expired'))).to.contain('did not accept a connection in time');
    expect(advice(failure('read ECONNRESET', 'ECONNRESET'))).not.to.contain('POSTGRES_URL');
  });

  it('stay unchanged when they are our own mistakes', () => {
    for (const error of [
      answer('42P01'),
      answer('23505'),
      answer('22021'),
      failure('bind message has 2 parameter formats'),
      'no error at all',
    ]) {
      expect(translatePostgresError(error)).to.equal(error);
    }
  });

  it('keep a connection usable only after an ERROR of the server', () => {
    expect([answer('23505'), answer('40P01'), answer('57014')].map(isConnectionUnusable)).to.deep.equal([
      false,
      false,
      false,
    ]);
    const breaking = [
      answer('57P01', 'FATAL'),
      failure('read ECONNRESET', 'ECONNRESET'),
      failure('Query read timeout'),
      answer('0A000'),
      answer('40P01', 'FEHLER'),
    ];
    expect(breaking.map(isConnectionUnusable)).to.deep.equal(breaking.map(() => true));
  });

  it('count as a refused commit only after an ERROR of the server', () => {
    expect([answer('40001'), answer('57P01', 'FATAL'), failure('Query read timeout')].map(isRefusal)).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
