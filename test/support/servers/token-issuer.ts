/** A small issuer of tokens: it publishes its keys as OpenID Connect issuers do, and signs what a test wants. */
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { answerJson, openStubInstance, type StubInstance } from './stub-instance.js';

export const AUDIENCE = 'https://memory.example/mcp';

export type TokenIssuer = {
  readonly url: string;
  readonly stub: StubInstance;
  /** The paths of the requests so far. */
  readonly asked: () => readonly (string | undefined)[];
  /** A valid token, but for the changes. An undefined claim is left out. */
  readonly token: (claims?: JWTPayload, header?: Partial<JWTHeaderParameters>) => Promise<string>;
  /** From then on it signs with a new key and publishes that one alone. Returns the new kid. */
  readonly rotate: () => Promise<string>;
  /** The published key. */
  readonly publicKey: () => JWK;
  /** Answers as at the beginning, but for the changes. */
  readonly publish: (changes?: { readonly discovery?: object; readonly keys?: readonly object[] }) => void;
};

/** `now`: the time at which tokens are made. They work for five minutes. */
export async function openTokenIssuer(now: () => Date = () => new Date()): Promise<TokenIssuer> {
  const stub = await openStubInstance('issuer');
  let serial = 0;
  const newPair = async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    serial += 1;
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key-${serial}`, alg: 'ES256', use: 'sig' } };
  };
  let pair = await newPair();
  const publish: TokenIssuer['publish'] = ({ discovery = {}, keys = [pair.jwk] } = {}) =>
    stub.respondWith((request, response) => {
      const isDiscovery = request.url === '/.well-known/openid-configuration';
      const document = { issuer: stub.url, jwks_uri: `${stub.url}/keys`, ...discovery };
      if (isDiscovery) answerJson(response, 200, document);
      else answerJson(response, request.url === '/keys' ? 200 : 404, { keys });
    });
  publish();
  return {
    url: stub.url,
    stub,
    asked: () => stub.requests.map(({ url }) => url),
    token: (claims = {}, header = {}) => {
      const seconds = Math.floor(now().getTime() / 1_000);
      const times = { iat: seconds, exp: seconds + 300 };
      const payload = { iss: stub.url, aud: AUDIENCE, sub: 'user-1', scope: 'memories:read', ...times, ...claims };
      return new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
        .setProtectedHeader({ alg: 'ES256', kid: pair.jwk.kid, ...header })
        .sign(pair.privateKey);
    },
    rotate: async () => {
      pair = await newPair();
      publish();
      return pair.jwk.kid;
    },
    publicKey: () => pair.jwk,
    publish,
  };
}
