/** The forms of keys: of the default tenant and of another one. */
import { expect } from 'chai';
import { isIntactKey, isKey, newKey, tenantOfKey } from '../../../shared/kernel/keys.js';

const TENANT = '0f2c4b6a-1234-4abc-9def-0123456789ab';

describe('form of a key', () => {
  for (const [title, tenant, length] of [
    ['of the default tenant', null, 42],
    ['of a tenant', TENANT, 74],
  ] as const) {
    it(`is intact as it is made: ${title}`, () => {
      const key = newKey(tenant);
      expect(key).to.have.length(length);
      expect([isKey(key), isIntactKey(key), tenantOfKey(key)]).to.deep.equal([true, true, tenant]);
      expect(newKey(tenant)).to.not.equal(key);
    });

    it(`is not intact with another character or another length: ${title}`, () => {
      const key = newKey(tenant);
      for (const at of [4, 20, key.length - 1])
        expect(isIntactKey(`${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`), `${at}`).to.equal(
          false,
        );
      for (const other of [key.slice(0, -1), `${key}a`, key.replace('plm_', 'plx_'), ` ${key}`])
        expect(isIntactKey(other), other).to.equal(false);
    });
  }

  it('names a tenant inside its checksum, so that no other tenant can be put in', () => {
    const other = newKey('11111111-2222-4333-8444-555555555555');
    const key = newKey(TENANT);
    expect(isIntactKey(`${other.slice(0, 36)}${key.slice(36)}`)).to.equal(false);
  });

  it('is not that of a token of the environment', () => {
    for (const token of ['plm_', 'plm_short', 'a-token', ''])
      expect([isKey(token), isIntactKey(token), tenantOfKey(token)], token).to.deep.equal([false, false, null]);
  });
});
