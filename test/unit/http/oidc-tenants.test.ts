import { expect } from 'chai';
import type { BearerKind } from '../../../shared/http/auth.js';
import { oidcTokens } from '../../../shared/http/oidc.js';
import type { ServedTenant } from '../../../shared/http/tenancy.js';
import { ForbiddenError, UnauthenticatedError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { NO_LIMITS } from '../../../shared/ports/tenants.js';
import { rejection } from '../../support/checks/rejection.js';
import { AUDIENCE, openTokenIssuer, type TokenIssuer } from '../../support/servers/token-issuer.js';

const START = Date.parse('2026-06-01T08:30:00Z');
const BLUE = {
  id: '0197281d-a1f0-4e27-b3c8-52d90e7f1b64',
  name: 'blue',
  state: 'active',
  reason: null,
  limits: NO_LIMITS,
} as const;

describe('tokens of an issuer that name a tenant', () => {
  let issuer: TokenIssuer;
  let tokens: BearerKind;
  let blue: ServedTenant['tenant'];
  const clock = { now: () => new Date(START) };
  const begin = (tenantClaim: string | null) => {
    tokens = oidcTokens({
      config: { issuer: issuer.url, audience: AUDIENCE, scopeClaim: 'scope', tagClaim: null, tenantClaim },
      tenancy: {
        open: () => Promise.reject(new Error('the check of a token opens no tenant')),
        named: (name) => Promise.resolve(name === 'blue' ? blue : null),
      },
      logger: silentLogger,
      clock,
    });
  };
  beforeEach(async () => {
    blue = BLUE;
    issuer = await openTokenIssuer(clock.now);
    begin('org');
  });
  afterEach(() => issuer.stub.close());

  const scope = 'memories:read admin:tenants';
  const check = async (claims: object) => tokens.check(await issuer.token({ scope, ...claims }));

  it('belong to it, without a scope over tenants', async () => {
    const holder = await check({ org: 'blue' });
    expect(holder.tenant).to.equal(BLUE.id);
    expect(holder.scopes).to.deep.equal(['memories:read']);
  });

  it('belong to the default one by name or with no claim', async () => {
    for (const org of ['default', 'blue']) {
      begin(org === 'default' ? 'org' : null);
      const holder = await check({ org });
      expect(holder.tenant).to.equal(null);
      expect(holder.scopes).to.deep.equal(['memories:read', 'admin:tenants']);
    }
  });

  it('are refused without the claim or the tenant', async () => {
    for (const claims of [{}, { org: 'red' }, { org: '' }, { org: ['blue'] }, { org: 'Blue' }, { org: null }])
      expect(await rejection(check(claims)), JSON.stringify(claims)).to.be.instanceOf(UnauthenticatedError);
  });

  it('are refused while it is suspended', async () => {
    const holder = await check({ org: 'blue' });
    expect(await holder.isValid()).to.equal(true);
    blue = { ...BLUE, state: 'suspended', reason: 'The trial ended' };
    expect(await rejection(check({ org: 'blue' })))
      .to.be.instanceOf(ForbiddenError)
      .and.have.property('message', "The tenant 'blue' is suspended: The trial ended");
    expect(await rejection(holder.isValid())).to.be.instanceOf(ForbiddenError);
  });
});
