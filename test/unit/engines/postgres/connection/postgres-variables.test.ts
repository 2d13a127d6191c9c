import { expect } from 'chai';
import { postgresConfig } from '../../../../../shared/engines/postgres/connection/postgres-variables.js';
import { ConfigurationError } from '../../../../../shared/kernel/config/config.js';

describe('Postgres variables', () => {
  it('require only a URL', () => {
    const url = 'postgres://me:secret@localhost/palimpsest';
    expect(postgresConfig({ POSTGRES_URL: url })).to.include({ url, poolSize: 10 });
  });

  for (const url of [
    undefined,
    ' ',
    'localhost:5432/palimpsest',
    'mysql://me:secret@localhost/palimpsest',
    'postgres://me:secret@local host:x/',
  ]) {
    it(`reject ${String(url)} without repeating it`, () => {
      expect(() => postgresConfig({ POSTGRES_URL: url }))
        .to.throw(ConfigurationError, /POSTGRES_URL is not .*write for example POSTGRES_URL=postgres:/u)
        .with.property('message')
        .that.not.includes('secret');
    });
  }
});
