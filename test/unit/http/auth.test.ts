import { expect } from 'chai';
import { sharedTokens } from '../../../shared/http/auth.js';

describe('sharedTokens', () => {
  const api = [{ name: null, token: 'a' }];

  it('names the tiers with the same token', () => {
    expect(sharedTokens({ api, admin: 'a', internal: null })).to.deep.equal(['API and admin']);
    expect(sharedTokens({ api, admin: 'a', internal: 'a' })).to.have.length(3);
    expect(sharedTokens({ api: [], admin: 'b', internal: 'b' })).to.deep.equal(['admin and internal']);
  });

  it('is empty for tokens that differ or are not set', () => {
    expect(sharedTokens({ api, admin: 'b', internal: 'c' })).to.deep.equal([]);
    expect(sharedTokens({ api: [], admin: null, internal: null })).to.deep.equal([]);
  });
});
