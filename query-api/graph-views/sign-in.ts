/**
 * The sign-in of the console: reads the endpoints of the configured issuer, so that no address comes from a user. The
 * page and the document need no token, so callers together cause at most one read in `REREAD_MS`.
 */
import type { SignInDocument } from '../../shared/contract/graph-views/sign-in.js';
import { OIDC_LIMITS, type OidcConfig } from '../../shared/http/oidc.js';
import { addressIn, readDiscovery } from '../../shared/http/oidc-discovery.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';

const REREAD_MS = 5_000;
/** How long the page waits for an issuer that has not answered since the start. */
const PAGE_WAIT_MS = 1_000;

export interface SignIn {
  /** The issuer as users know it. */
  readonly name: string;
  /** At most `REREAD_MS` old. Throws DependencyError('issuer') while the issuer does not answer. */
  describe(): Promise<SignInDocument>;
  /** Of the token endpoint, as it was last read; null while it is not known. */
  tokenOrigin(): Promise<string | null>;
}

type Options = {
  readonly oidc: OidcConfig & { readonly console: NonNullable<OidcConfig['console']> };
  readonly logger: Logger;
  /** In ms. */
  readonly elapsed?: () => number;
};

/** Reads at once, so that the log shows a wrong address. */
export function createSignIn({ oidc, logger, elapsed = () => performance.now() }: Options): SignIn {
  let known: SignInDocument | null = null;
  /** Of the last read; null when it succeeded. */
  let failure: unknown = null;
  let triedAt = -Infinity;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      known = await readSignIn(oidc);
      failure = null;
    } catch (error) {
      failure = error;
      logger.warn({ err: error, issuer: oidc.issuer }, 'sign-in of the console: endpoints of the OIDC issuer not read');
    }
  }

  /** Callers share one read. */
  function refresh(): Promise<void> {
    if (reading === null && elapsed() - triedAt >= REREAD_MS) {
      triedAt = elapsed();
      reading = read().finally(() => {
        reading = null;
      });
    }
    return reading ?? Promise.resolve();
  }

  void refresh();
  return {
    name: new URL(oidc.issuer).host,
    describe: async () => {
      await refresh();
      if (known !== null && failure === null) return known;
      const message = 'The issuer does not answer as it should, so signing in is not possible: try again later';
      throw new DependencyError('issuer', message, { cause: failure, retryAfterSeconds: REREAD_MS / 1_000 });
    },
    tokenOrigin: async () => {
      if (known === null) await atMost(PAGE_WAIT_MS, refresh());
      return known === null ? null : new URL(known.token_endpoint).origin;
    },
  };
}

/** Throws unless the issuer offers a sign-in that is safe for a public client. */
async function readSignIn({ issuer, audience, console }: Options['oidc']): Promise<SignInDocument> {
  const discovery = await readDiscovery(issuer, OIDC_LIMITS);
  const methods = discovery['code_challenge_methods_supported'];
  if (Array.isArray(methods) && !methods.includes('S256'))
    throw new Error('The issuer does not support PKCE with S256');
  const tokenEndpoint = addressIn(discovery, 'token_endpoint', issuer);
  // It goes into the content security policy, where `;` would begin another rule.
  if (!/^https?:\/\/[\w.:[\]-]+$/u.test(new URL(tokenEndpoint).origin))
    throw new Error(`token_endpoint has no plain host name: ${tokenEndpoint}`);
  return {
    issuer,
    client_id: console.clientId,
    authorization_endpoint: addressIn(discovery, 'authorization_endpoint', issuer),
    token_endpoint: tokenEndpoint,
    audience,
    scopes: console.scopes,
    answers_have_issuer: discovery['authorization_response_iss_parameter_supported'] === true,
  };
}

async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
