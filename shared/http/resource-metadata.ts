/**
 * Protected resource metadata (RFC 9728): how a client that has no token finds the issuer of tokens. MCP clients need
 * it (MCP 2025-11-25, Authorization). Without OIDC both addresses answer 404.
 */
import { type Scope, SCOPE_NAMES } from '../contract/scopes.js';
import { type EdgeContext, EdgeError, type EdgeMiddleware } from './edge-state.js';
import type { OidcConfig } from './oidc.js';
import { writeReply } from './send-reply.js';

export const MCP_PATH = '/mcp';
const METADATA_PATH = '/.well-known/oauth-protected-resource';
const METADATA_PATHS = [METADATA_PATH, METADATA_PATH + MCP_PATH];

/** All that the tools and resources of MCP need. A client asks its user for the scopes that it finds here. */
export const MCP_SCOPES: readonly Scope[] = ['memories:read', 'memories:write', 'memories:delete', 'graph:read'];

export function serveResourceMetadata(oidc: OidcConfig | null): EdgeMiddleware {
  return async (context, next) => {
    if (!METADATA_PATHS.includes(context.path)) return next();
    context.state.operation = 'resourceMetadata';
    if (oidc === null) throw new EdgeError(404, 'This service takes no tokens of an issuer: OIDC_ISSUER is not set');
    if (context.method !== 'GET' && context.method !== 'HEAD')
      throw new EdgeError(405, 'Ask this path with GET', { allow: 'GET, HEAD, OPTIONS' });
    const path = context.path.slice(METADATA_PATH.length);
    const body = {
      resource: isUrl(oidc.audience) ? oidc.audience : `${originOf(oidc, context)}${path}`,
      authorization_servers: [oidc.issuer],
      scopes_supported: path === MCP_PATH ? MCP_SCOPES : SCOPE_NAMES,
      bearer_methods_supported: ['header'],
    };
    writeReply(context, { status: 200, body });
  };
}

/** Adds what RFC 6750 and RFC 9728 name to the challenge of a 401 or 403. */
export function extendChallenge(challenge: string, oidc: OidcConfig, status: number, context: EdgeContext): string {
  const isMcp = context.path === MCP_PATH;
  const url = `${originOf(oidc, context)}${METADATA_PATH}${isMcp ? MCP_PATH : ''}`;
  const hasToken = /^\s*bearer\s+\S/iu.test(context.get('authorization'));
  return [
    challenge,
    ...(status === 401 && hasToken ? ['error="invalid_token"'] : []),
    ...(status === 401 && isMcp ? [`scope="${MCP_SCOPES.join(' ')}"`] : []),
    `resource_metadata="${url}"`,
  ].join(', ');
}

/** Of the audience, because a proxy may end TLS and change the Host; of the Host where the audience is no address. */
function originOf({ audience }: OidcConfig, context: EdgeContext): string {
  if (isUrl(audience)) return new URL(audience).origin;
  return `http://${context.get('host').replace(/[^\w.:[\]-]/gu, '')}`;
}

function isUrl(text: string): boolean {
  return /^https?:\/\//iu.test(text) && URL.canParse(text);
}
