import { createHash, createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { type CryptoKey, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import type { BearerKind } from '../../../shared/http/auth.js';
import { isJwt, OIDC_LIMITS, type OidcOptions, oidcTokens } from '../../../shared/http/oidc.js';
import { DependencyError, UnauthenticatedError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { rejection } from '../../support/checks/rejection.js';
import { answerJson } from '../../support/servers/stub-instance.js';
import { AUDIENCE, openTokenIssuer, type TokenIssuer } from '../../support/servers/token-issuer.js';

const START = Date.parse('2026-06-01T08:30:00Z');
const { cooldownMs, staleMs, freshMs, clockSkewSeconds } = OIDC_LIMITS;

describe('tokens of an OIDC issuer', () => {
  let issuer: TokenIssuer;
  let time = START;
  let tokens: BearerKind;
  const begin = (limits: OidcOptions['limits'] = {}, scopeClaim = 'scope', tagClaim: string | null = null) => {
    tokens = oidcTokens({
      config: { issuer: issuer.url, audience: AUDIENCE, scopeClaim, tagClaim, tenantClaim: null },
      logger: silentLogger,
      clock: { now: () => new Date(time) },
      elapsed: () => time - START,
      limits,
    });
  };
  beforeEach(async () => {
    time = START;
    issuer = await openTokenIssuer(() => new Date(time));
    begin();
  });
  afterEach(() => issuer.stub.close());

  const check = (token: string) => tokens.check(token);
  async function reasonFor(token: string): Promise<string | undefined> {
    const error = await rejection(check(token));
    if (!(error instanceof UnauthenticatedError)) throw error;
    return error.help.detail;
  }
  async function expectUnavailable(token: string): Promise<Error> {
    const error = await rejection(check(token));
    expect(error).to.be.instanceOf(DependencyError).and.include({ dependency: 'issuer' });
    return error.cause as Error;
  }
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = () => ({ iss: issuer.url, aud: AUDIENCE, sub: 'user-1', exp: START / 1_000 + 300 });

  it('name their holder and its scopes', async () => {
    const holder = await check(await issuer.token({ scope: 'openid memories:write memories:read other' }));
    const identity = createHash('sha256')
      .update(JSON.stringify([issuer.url, 'user-1']))
      .digest('hex');
    expect(holder).to.include({ name: 'user-1', scope: `oidc ${identity}` });
    expect(holder.scopes).to.deep.equal(['memories:read', 'memories:write']);
  });

  it('have scopes in a list, or in a claim with another name', async () => {
    begin({}, 'permissions');
    const listed = await check(await issuer.token({ permissions: ['graph:read', 7, 'root'], scope: 'memories:read' }));
    expect(listed.scopes).to.deep.equal(['graph:read']);
    for (const permissions of [undefined, null, { 'graph:read': true }, 7])
      expect((await check(await issuer.token({ permissions }))).scopes).to.deep.equal([]);
  });

  it('are restricted to the tag of a claim, and in their scopes', async () => {
    begin({}, 'scope', 'agent');
    const scope = 'memories:read memories:write memories:delete graph:read events:read admin:jobs admin:keys';
    const holder = await check(await issuer.token({ agent: 'agent:anna', scope }));
    expect(holder.tag).to.equal('agent:anna');
    expect(holder.scopes).to.deep.equal(['memories:read', 'memories:write', 'memories:delete']);
    expect(holder.scopeHint).to.include('no other scopes than memories:read');
    begin();
    expect((await check(await issuer.token({ agent: 'agent:anna' }))).tag).to.equal(null);
  });

  it('are refused without a tag in the claim', async () => {
    begin({}, 'scope', 'agent');
    expect(await reasonFor(await issuer.token())).to.equal('The token has no claim agent.');
    const long = ['a'.repeat(257), Array.from({ length: 17 }, () => 'a').join(':')];
    for (const agent of [null, 7, ['a'], { a: 1 }, '', ' ', '::', ' a', 'A', 'a/b', 'a::b', 'a:', ...long])
      expect(await reasonFor(await issuer.token({ agent })), JSON.stringify(agent)).to.equal(
        'The token has no tag in lower case in the claim agent.',
      );
    await check(await issuer.token({ agent: 'a'.repeat(256) }));
  });

  for (const [given, name] of [
    [{ preferred_username: 'anna', email: 'a@b.example', client_id: 'app' }, 'anna'],
    [{ email: 'anna@b.example', client_id: 'app' }, 'anna@b.example'],
    [{ client_id: 'app' }, 'app'],
    [{ preferred_username: '  ', client_id: 7 }, 'user-1'],
    [{ sub: 'auth0|Jörg "x"\n' }, 'auth0_J_rg__x__'],
    [{ sub: 'ü'.repeat(9) }, null],
    [{ preferred_username: 'a'.repeat(500) }, 'a'.repeat(64)],
  ] as const)
    it(`give the name ${String(name).slice(0, 20)} for ${JSON.stringify(given).slice(0, 40)}`, async () => {
      const holder = await check(await issuer.token(given));
      expect(holder.name).to.equal(name ?? holder.scope.slice('oidc '.length, 'oidc '.length + 12));
    });

  it('are accepted for some seconds more, because clocks differ', async () => {
    const seconds = START / 1_000;
    await check(await issuer.token({ exp: seconds - clockSkewSeconds + 1, nbf: seconds + clockSkewSeconds }));
    expect(await reasonFor(await issuer.token({ exp: seconds - clockSkewSeconds }))).to.include('has expired');
    expect(await reasonFor(await issuer.token({ nbf: seconds + clockSkewSeconds + 1 }))).to.include('not valid yet');
  });

  it('are refused with a wrong claim, or without one that is needed', async () => {
    for (const [wrong, reason] of [
      [{ aud: 'https://other.example' }, 'wrong audience'],
      [{ aud: [] }, 'wrong audience'],
      [{ aud: undefined }, 'no claim aud'],
      [{ iss: 'https://other.example' }, 'wrong issuer'],
      [{ iss: `${issuer.url}/` }, 'wrong issuer'],
      [{ sub: undefined }, 'no claim sub'],
      [{ exp: undefined }, 'no claim exp'],
    ] as readonly (readonly [JWTPayload, string])[])
      expect(await reasonFor(await issuer.token(wrong)), JSON.stringify(wrong)).to.include(reason);
    await check(await issuer.token({ aud: ['other', AUDIENCE] }, { typ: 'at+jwt' }));
    await check(await issuer.token({}, { typ: 'JWT' }));
  });

  it('are refused without a signature, or with a public key as secret', async () => {
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims())}.`;
    expect(isJwt(unsigned)).to.equal(true);
    expect(await reasonFor(unsigned)).to.include('not signed with one of RS256');
    const key = issuer.publicKey();
    const spki = await exportSPKI((await importJWK(key, 'ES256', { extractable: true })) as CryptoKey);
    for (const secret of [spki, JSON.stringify(key)]) {
      const confused = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: String(key.kid) })
        .sign(createSecretKey(Buffer.from(secret)));
      expect(await reasonFor(confused)).to.include('not signed with one of RS256');
    }
  });

  it('are refused with the signature of another token or another key', async () => {
    const [head, , signature] = (await issuer.token()).split('.');
    expect(await reasonFor(`${head}.${encode(claims())}.${signature}`)).to.include('wrong signature');
    const { privateKey } = await generateKeyPair('ES256');
    const forged = await new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: 'key-1' }).sign(privateKey);
    expect(await reasonFor(forged)).to.include('wrong signature');
    for (const damaged of ['a.b.c', `${encode({ alg: 'ES256' })}.e30.x`, `${encode([])}..`, '....'])
      expect(await rejection(check(damaged)), damaged).to.be.instanceOf(UnauthenticatedError);
  });

  it('are refused when they are too long, without a read of the keys', async () => {
    const long = `${encode({ alg: 'ES256', kid: 'x' })}.${'a'.repeat(100_000)}.x`;
    time += cooldownMs;
    await check(await issuer.token());
    const before = issuer.asked().length;
    expect(await reasonFor(long)).to.include(`more than ${OIDC_LIMITS.tokenLength} characters`);
    expect(issuer.asked()).to.have.lengthOf(before);
  });

  it('with unknown keys cause one read for each cooldown', async () => {
    await check(await issuer.token());
    const READ = ['/.well-known/openid-configuration', '/keys'];
    expect(issuer.asked()).to.deep.equal(READ);
    const flood = async () => {
      const forged = Array.from({ length: 50 }, (_, n) => issuer.token({}, { kid: `random-${n}` }));
      const reasons = await Promise.all((await Promise.all(forged)).map(reasonFor));
      expect(new Set(reasons)).to.deep.equal(
        new Set(['The token is signed with a key that its issuer does not publish.']),
      );
    };
    await flood();
    expect(issuer.asked()).to.deep.equal(READ);
    time += cooldownMs;
    await flood();
    expect(issuer.asked()).to.deep.equal([...READ, ...READ]);
  });

  it('are accepted with the new key of a rotation, refused with the old', async () => {
    const old = await issuer.token();
    const holder = await check(old);
    expect(await holder.isValid()).to.equal(true);
    await issuer.rotate();
    time += cooldownMs;
    await check(await issuer.token());
    expect(await reasonFor(old)).to.include('does not publish');
    expect(await rejection(holder.isValid())).to.be.instanceOf(UnauthenticatedError);
  });

  it('end when they expire', async () => {
    const holder = await check(await issuer.token({ exp: START / 1_000 + 1 }));
    time += clockSkewSeconds * 1_000;
    expect(await holder.isValid()).to.equal(true);
    time += 1_000;
    expect(await holder.isValid()).to.equal(false);
  });

  it('are checked with known keys for an hour without the issuer', async () => {
    await check(await issuer.token());
    issuer.stub.respondWith((_, response) => answerJson(response, 500, {}));
    time += staleMs - 1;
    await check(await issuer.token());
    await expectUnavailable(await issuer.token({}, { kid: 'unknown' }));
    time += 1;
    expect((await expectUnavailable(await issuer.token())).message).to.include('answered 500');
    issuer.publish();
    await expectUnavailable(await issuer.token()); // within the cooldown
    time += cooldownMs;
    await check(await issuer.token());
  });

  it('do not wait for a read that keeps the keys fresh', async () => {
    begin({ answerMs: 600_000 });
    await check(await issuer.token());
    issuer.stub.respondWith(() => undefined); // a check that waited for it would not end
    time += freshMs;
    await check(await issuer.token());
  });

  const bad: readonly (readonly [string, RegExp, () => void])[] = [
    ['is of another issuer', /another issuer/u, () => issuer.publish({ discovery: { issuer: 'https://x.example' } })],
    ['has no jwks_uri', /jwks_uri/u, () => issuer.publish({ discovery: { jwks_uri: undefined } })],
    ['names keys by http', /jwks_uri/u, () => issuer.publish({ discovery: { jwks_uri: 'http://x.example/keys' } })],
    ['names a file', /jwks_uri/u, () => issuer.publish({ discovery: { jwks_uri: 'file:///etc/passwd' } })],
    [
      'names huge keys',
      /more than 262144 bytes/u,
      () => issuer.publish({ keys: Array.from({ length: 3_000 }, () => ({ kty: 'EC', x: 'x'.repeat(100) })) }),
    ],
    ['names keys that are none', /malformed/iu, () => issuer.publish({ keys: [7 as unknown as object] })],
    [
      'redirects',
      /answered 302/u,
      () => issuer.stub.respondWith((_, response) => response.writeHead(302, { location: `${issuer.url}/keys` }).end()),
    ],
    ['is no JSON', /JSON/u, () => issuer.stub.respondWith((_, response) => response.end('<html>'))],
    ['never comes', /ms are over/u, () => issuer.stub.respondWith(() => undefined)],
    [
      'comes slowly',
      /ms are over/u,
      () => issuer.stub.respondWith((_, response) => void response.writeHead(200).write('{')),
    ],
  ];
  for (const [what, message, prepare] of bad)
    it(`cannot be checked when the discovery document ${what}`, async () => {
      prepare();
      begin({ answerMs: 300 });
      const token = await issuer.token();
      expect((await expectUnavailable(token)).message).to.match(message);
      issuer.publish();
      time += cooldownMs;
      await check(token);
    });

  it('cannot be checked with a published key that is unfit', async () => {
    await issuer.rotate();
    issuer.publish({ keys: [{ ...issuer.publicKey(), x: 'AA' }] });
    begin();
    await expectUnavailable(await issuer.token());
  });

  it('are recognized by their three parts in an Authorization header', () => {
    expect(tokens.recognizes('a.b.c', true)).to.equal(true);
    expect(tokens.recognizes('a.b.c', false)).to.equal(false);
    for (const other of ['', 'a', 'a.b', 'a.b.c.d.e', 'a.b.c d', `plm_${'a'.repeat(38)}`])
      expect(tokens.recognizes(other, true), other).to.equal(false);
  });
});
