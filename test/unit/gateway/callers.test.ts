import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { callerOf } from '../../../deploy/gateway/callers.js';

describe('the caller at a gateway', () => {
  const callerWith = (authorization: string) =>
    callerOf({ headers: { authorization }, socket: { remoteAddress: '10.0.0.7' } } as IncomingMessage);

  it('of a JWT is its signature: tokens of one issuer begin alike', () => {
    const begin = `Bearer ${'e'.repeat(300)}.${'p'.repeat(300)}.`;
    expect(callerWith(`${begin}one`)).to.equal('one');
    expect(callerWith(`${begin}other`)).to.equal('other');
    expect(callerWith(`${begin}${'s'.repeat(400)}`)).to.equal('s'.repeat(200));
  });

  it('of another token is its begin', () => {
    expect(callerWith('Bearer secret')).to.equal('secret');
    expect(callerWith('bearer a.b')).to.equal('a.b');
    expect(callerWith('Bearer a.b.')).to.equal('a.b.');
    expect(callerWith('Basic abc')).to.equal('10.0.0.7');
  });
});
