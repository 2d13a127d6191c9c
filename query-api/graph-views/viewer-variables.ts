/** The variables of the pages for browsers: the console, the API, and the viewer of the graph. */
import { oidcConfig } from '../../shared/http/edge-variables.js';
import type { OidcConfig } from '../../shared/http/oidc.js';
import {
  ConfigurationError,
  type Environment,
  readVariables,
  type Variable,
} from '../../shared/kernel/config/config.js';

export const viewerVariables = [
  {
    name: 'CONSOLE_ENABLED',
    kind: 'flag',
    default: 'true',
    description: 'Whether `/console/` serves the console and `/docs/` the page of the API; otherwise they answer 404.',
  },
  {
    name: 'ENABLE_GRAPH_VIEWER',
    kind: 'flag',
    default: 'true',
    description: 'Whether `/viewer/` leads to the viewer of the graph; otherwise it answers 404.',
  },
  {
    name: 'GRAPH_VIEWER_URL',
    kind: 'text',
    description:
      'The address of the viewer, http or https, to which `/viewer/` leads. Unset: `/viewer/` leads to the console, or answers 503 while that is off.',
  },
] as const satisfies readonly Variable[];

export type ViewerConfig = {
  readonly isEnabled: boolean;
  readonly isConsoleEnabled: boolean;
  /** Without a query and a hash. */
  readonly base: URL | null;
  /** The issuer at which users of the console sign in, if it has `console`. */
  readonly oidc: OidcConfig | null;
};

/** Throws ConfigurationError. */
export function viewerConfig(environment: Environment): ViewerConfig {
  const values = readVariables(viewerVariables, environment);
  return {
    isEnabled: values.ENABLE_GRAPH_VIEWER,
    isConsoleEnabled: values.CONSOLE_ENABLED,
    base: baseOf(values.GRAPH_VIEWER_URL),
    oidc: oidcConfig(environment),
  };
}

function baseOf(text: string | undefined): URL | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new ConfigurationError([
      'GRAPH_VIEWER_URL must be an http or https address without a user, a query and a hash, for example https://viewer.example.org',
    ]);
  return url;
}
