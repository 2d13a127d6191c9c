import { expect } from 'chai';
import { platformOf } from '../../../../deploy/local/servers/postgres.js';

describe('platformOf', () => {
  it('returns the platforms that have Postgres binaries, and rejects others', () => {
    expect(platformOf('linux', 'x64')).to.equal('linux-amd64');
    expect(platformOf('darwin', 'arm64')).to.equal('darwin-arm64v8');
    expect(() => platformOf('aix', 'ppc64')).to.throw('There are no Postgres binaries for aix on ppc64');
  });
});
