/** Checks of what every process needs before it opens anything: Node, variables, tokens, the bundled encoder. */
import { commandProcessConfig } from '../../../command-api/process-config.js';
import { relayProcessConfig } from '../../../command-api/relay/process-config.js';
import { projectorProcessConfig } from '../../../projectors/process-config.js';
import { queryProcessConfig } from '../../../query-api/process-config.js';
import { checkFiles, loadRuntime } from '../../../shared/engines/models/bundled/model.js';
import { providersFor } from '../../../shared/engines/models/choose-embedder.js';
import { embeddingVariables } from '../../../shared/engines/models/embedding-variables.js';
import { DEFAULT_PORTS, edgeConfig } from '../../../shared/http/edge-variables.js';
import { type Environment, readVariables } from '../../../shared/kernel/config/config.js';
import { readEnvironment } from '../../../shared/kernel/config/environment.js';
import { misspeltVariables } from '../../../shared/kernel/config/misspelt-variables.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { nodeProblem } from '../../../shared/kernel/node-version.js';
import { embeddedConfig } from '../../embedded/config.js';
import { type Found, ok, problemsFrom, warning } from './found.js';

const SHORTEST_TOKEN = 16;
const OTHER_PROVIDER = 'set EMBEDDING_PROVIDER to a remote provider';

export async function checkNode(version: string): Promise<Found | readonly Found[]> {
  const text = nodeProblem(version);
  return text === null ? ok(version) : problemsFrom(text, '');
}

export async function checkEnvironmentFiles(folders: { readonly folder: string; readonly home: string }) {
  try {
    readEnvironment({ process: {}, ...folders });
    return ok('readable, or absent');
  } catch (error) {
    return problemsFrom(error, 'make the file readable for this user');
  }
}

export async function checkNames(environment: Environment): Promise<Found | readonly Found[]> {
  const misspelt = misspeltVariables(environment);
  if (misspelt.length === 0) return ok('no misspelt variable');
  return misspelt.map(({ variable, nearest }) =>
    warning(`${variable} is not known, and is ignored`, `if you mean ${nearest}, rename it`),
  );
}

export async function checkConfiguration(
  environment: Environment,
  { distributed, folder }: { readonly distributed: boolean; readonly folder: string },
): Promise<Found | readonly Found[]> {
  try {
    if (distributed)
      readParts({
        commandApi: () => commandProcessConfig(environment),
        relay: () => relayProcessConfig(environment),
        projectors: () => projectorProcessConfig(environment),
        queryApi: () => queryProcessConfig(environment),
      });
    else embeddedConfig(environment, folder);
    return ok('every variable can be used');
  } catch (error) {
    return problemsFrom(error, 'give it such a value, or remove it; deploy/docs/configuration.md lists all variables');
  }
}

/** Never shows a token. */
export async function checkTokens(environment: Environment): Promise<Found | readonly Found[]> {
  const { tokens, oidc, isLoopbackOnly } = edgeConfig(environment, DEFAULT_PORTS.service);
  const named = [
    ...tokens.api.map(({ name, token }) => ({
      name: name === null ? 'SERVICE_API_TOKEN' : `The token of ${name} in API_TOKENS`,
      token,
    })),
    { name: 'ADMIN_API_TOKEN', token: tokens.admin },
    { name: 'INTERNAL_API_TOKEN', token: tokens.internal },
  ];
  const found = [
    ...(tokens.api.length === 0 && oidc === null && !isLoopbackOnly
      ? [
          warning(
            'ALLOW_ANONYMOUS opens the API without a token to every caller that reaches it',
            'set SERVICE_API_TOKEN, or remove ALLOW_ANONYMOUS to answer this machine alone',
          ),
        ]
      : []),
    ...(tokens.admin !== null && tokens.api.some(({ token }) => token === tokens.admin)
      ? [
          warning(
            'ADMIN_API_TOKEN is also an API token, so every caller may use the admin routes',
            'set ADMIN_API_TOKEN to a token of its own',
          ),
        ]
      : []),
    ...named
      .filter(({ token }) => token !== null && token.length < SHORTEST_TOKEN)
      .map(({ name }) =>
        warning(`${name} has fewer than ${SHORTEST_TOKEN} characters`, 'make a longer one: `openssl rand -hex 24`'),
      ),
  ];
  if (found.length > 0) return found;
  if (oidc !== null && tokens.api.length === 0) return ok('callers need a token of OIDC_ISSUER, or a key');
  return ok(isLoopbackOnly ? 'no token, so the API answers this machine alone' : 'set, long enough and different');
}

export async function checkEncoder(environment: Environment): Promise<Found | readonly Found[]> {
  return whenBundled(environment, async () => {
    await checkFiles();
    return 'installed, and its checksums are right';
  });
}

export async function checkRuntime(environment: Environment): Promise<Found | readonly Found[]> {
  return whenBundled(environment, async () => `${(await loadRuntime()).name} can be loaded`);
}

async function whenBundled(environment: Environment, check: () => Promise<string>) {
  const providers = providersFor(readVariables(embeddingVariables, environment));
  if (!providers.includes('bundled')) return ok(`not used: the provider is ${providers.join(', ')}`);
  try {
    return ok(await check());
  } catch (error) {
    return problemsFrom(error, OTHER_PROVIDER);
  }
}
