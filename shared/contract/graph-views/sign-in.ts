/** What the console needs to sign its user in at an issuer, as `/console/sign-in.json` has it. */
export const SIGN_IN_FILE = 'sign-in.json';

export type SignInDocument = {
  readonly issuer: string;
  readonly client_id: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  /** What the token must name in `aud`. */
  readonly audience: string;
  readonly scopes: readonly string[];
  /** Whether each answer of the authorization endpoint has `iss` (RFC 9207). */
  readonly answers_have_issuer: boolean;
};
