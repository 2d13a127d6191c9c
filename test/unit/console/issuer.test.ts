import { expect } from 'chai';
import {
  begin,
  type Begun,
  challengeOf,
  codeIn,
  readSignIn,
  redeem,
  refresh,
  SignInError,
} from '../../../deploy/console/app/service/issuer.js';
import type { SignInDocument } from '../../../shared/contract/graph-views/sign-in.js';
import { rejection } from '../../support/checks/rejection.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const ISSUER = 'https://login.example/realms/main';
const REDIRECT = 'https://memory.example/console/';
const DOCUMENT: SignInDocument = {
  issuer: ISSUER,
  client_id: 'console',
  authorization_endpoint: 'https://login.example/auth?tenant=7',
  token_endpoint: 'https://login.example/token',
  audience: 'https://memory.example/mcp',
  scopes: ['openid', 'memories:read'],
  answers_have_issuer: false,
};
const BEGUN: Begun = { issuer: ISSUER, state: 'state-1', verifier: 'verifier-1' };

describe('the client of an issuer', () => {
  describe('at the beginning', () => {
    it('makes the challenge of RFC 7636, appendix B', async () => {
      expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).to.equal(
        'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      );
    });

    it('asks for a code with PKCE', async () => {
      const { url, begun } = await begin(DOCUMENT, REDIRECT);
      expect(Object.fromEntries(new URL(url).searchParams)).to.deep.equal({
        tenant: '7',
        response_type: 'code',
        client_id: 'console',
        redirect_uri: REDIRECT,
        scope: 'openid memories:read',
        state: begun.state,
        code_challenge: await challengeOf(begun.verifier),
        code_challenge_method: 'S256',
        audience: DOCUMENT.audience,
        resource: DOCUMENT.audience,
      });
      expect(url).to.not.include(begun.verifier);
      expect(begun.verifier).to.match(/^[\w-]{43}$/u);
    });

    it('has another state and verifier each time', async () => {
      const made = await Promise.all(Array.from({ length: 20 }, () => begin(DOCUMENT, REDIRECT)));
      expect(new Set(made.flatMap(({ begun }) => [begun.state, begun.verifier])).size).to.equal(40);
    });

    it('names a resource for an address alone', async () => {
      for (const audience of ['palimpsest', 'api://palimpsest', 'https://memory.example/#part'])
        expect((await begin({ ...DOCUMENT, audience }, REDIRECT)).url, audience).to.not.include('resource=');
    });
  });

  describe('with an answer', () => {
    const codeOf = (query: Record<string, string>, changed: Partial<SignInDocument> = {}) =>
      codeIn(new URLSearchParams(query), BEGUN, { ...DOCUMENT, ...changed });

    it('takes the code of the issuer', () => {
      expect(codeOf({ code: 'abc' })).to.equal('abc');
      expect(codeOf({ code: 'abc', iss: ISSUER }, { answers_have_issuer: true })).to.equal('abc');
    });

    it('refuses another issuer, a missing one, and no code', () => {
      const other = 'of another issuer than the sign-in';
      expect(() => codeOf({ code: 'abc', iss: 'https://other.example' })).to.throw(SignInError, other);
      expect(() => codeOf({ code: 'abc' }, { answers_have_issuer: true })).to.throw(SignInError, other);
      expect(() => codeOf({ code: 'abc' }, { issuer: 'https://other.example' })).to.throw(SignInError, other);
      for (const query of [{}, { code: '' }]) expect(() => codeOf(query)).to.throw(SignInError, 'has no code');
    });

    for (const [query, message] of [
      [{ error: 'access_denied' }, 'The issuer did not allow the sign-in (access_denied).'],
      [
        { error: 'invalid_scope', error_description: 'not for you', code: 'abc' },
        'The issuer does not give the scopes that the console asks for (invalid_scope). not for you',
      ],
      [{ error: 'constructor' }, 'The issuer refused the sign-in (constructor).'],
      [{ error: 'a\n\u202eb', error_description: '' }, 'The issuer refused the sign-in (a b). '],
    ] as readonly (readonly [Record<string, string>, string])[])
      it(`says: ${message.trim().slice(0, 42)}`, () => {
        expect(() => codeOf(query)).to.throw(SignInError, message);
      });

    it('shortens what the issuer says', () => {
      const [error, description] = ['e'.repeat(9_000), 'd'.repeat(9_000)];
      expect(() => codeOf({ error, error_description: description }))
        .to.throw(SignInError)
        .and.satisfy(({ message }: Error) => message.length < 700);
    });

    it('makes no request if the tab did not ask for it', async () => {
      const addresses = { redirectUri: REDIRECT, url: 'http://127.0.0.1:1/sign-in.json' };
      for (const [begun, state] of [
        [null, 'state-1'],
        [null, undefined],
        [BEGUN, 'state-2'],
        [BEGUN, ''],
        [BEGUN, undefined],
      ] as const) {
        const query = new URLSearchParams({ code: 'abc', ...(state !== undefined && { state }) });
        expect((await rejection(redeem(query, begun, addresses))).message).to.include('did not ask for this answer');
      }
    });
  });

  describe('at the token endpoint', () => {
    let stub: StubInstance;
    let bodies: string[];
    let reply: { status: number; body: object };
    const url = () => `${stub.url}/console/sign-in.json`;
    const answered = { access_token: 'a.b.c', token_type: 'bearer', refresh_token: 'next' };
    beforeEach(async () => {
      stub = await openStubInstance('issuer');
      bodies = [];
      reply = { status: 200, body: answered };
      stub.respondWith((request, response) => {
        if (request.method === 'GET')
          return answerJson(response, 200, { ...DOCUMENT, token_endpoint: `${stub.url}/token` });
        let text = '';
        request.on('data', (chunk: Buffer) => (text += chunk.toString()));
        request.on('end', () => {
          bodies.push(text);
          answerJson(response, reply.status, reply.body);
        });
      });
    });
    afterEach(() => stub.close());
    const redeemOne = () =>
      redeem(new URLSearchParams({ code: 'abc', state: 'state-1' }), BEGUN, { redirectUri: REDIRECT, url: url() });

    it('redeems the code with the verifier', async () => {
      expect(await redeemOne()).to.deep.equal({ token: 'a.b.c', refreshToken: 'next' });
      expect(Object.fromEntries(new URLSearchParams(bodies[0]))).to.deep.equal({
        grant_type: 'authorization_code',
        code: 'abc',
        redirect_uri: REDIRECT,
        code_verifier: 'verifier-1',
        client_id: 'console',
        resource: DOCUMENT.audience,
      });
    });

    it('renews, also without a new refresh token', async () => {
      expect(await refresh('first', ISSUER, url())).to.deep.equal({ token: 'a.b.c', refreshToken: 'next' });
      reply.body = { ...answered, refresh_token: undefined };
      expect(await refresh('first', ISSUER, url())).to.deep.equal({ token: 'a.b.c', refreshToken: 'first' });
      expect(Object.fromEntries(new URLSearchParams(bodies[0]))).to.include({
        grant_type: 'refresh_token',
        refresh_token: 'first',
      });
    });

    it('sends no refresh token to another issuer', async () => {
      const error = await rejection(refresh('first', 'https://before.example', url()));
      expect(error).to.include({ isRefusal: true });
      expect(bodies).to.deep.equal([]);
    });

    for (const [status, body, message, isRefusal] of [
      [400, { error: 'invalid_grant' }, 'does not accept the code or the session any more (invalid_grant)', true],
      [503, { error: 'temporarily_unavailable' }, 'The issuer is busy', false],
      [500, {}, 'gave no access token', false],
      [200, { ...answered, token_type: 'DPoP' }, 'gave no access token', false],
      [200, { ...answered, access_token: 'opaque' }, 'is no JWT. It must issue one for https://memory.example', false],
      [200, [], 'gave no access token', false],
    ] as const)
      it(`says after ${status} ${JSON.stringify(body).slice(0, 20)}: ${message.slice(0, 12)}`, async () => {
        reply = { status, body };
        expect(await rejection(redeemOne()))
          .to.be.instanceOf(SignInError)
          .and.include({ isRefusal });
        expect((await rejection(redeemOne())).message).to.include(message);
      });

    it('follows no redirect with the code', async () => {
      const { url: target, requests } = stub;
      stub.respondWith((request, response) => {
        if (request.method === 'GET') answerJson(response, 200, { ...DOCUMENT, token_endpoint: `${target}/token` });
        else response.writeHead(307, { location: `${target}/elsewhere` }).end();
      });
      expect((await rejection(redeemOne())).message).to.include('The issuer does not answer');
      expect(requests.map(({ url: path }) => path)).to.not.include('/elsewhere');
    });

    it('says that the service does not answer', async () => {
      stub.respondWith((_, response) => answerJson(response, 503, { message: 'The issuer is away' }));
      expect((await rejection(readSignIn(url()))).message).to.equal('The issuer is away');
      await stub.close();
      expect((await rejection(readSignIn(url()))).message).to.include('The service does not answer');
    });
  });
});
