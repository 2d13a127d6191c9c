/** The configuration of the gateway in Node: the addresses of the APIs, and the variables of every HTTP edge. */
import { DEFAULT_PORTS, edgeConfig } from '../../shared/http/edge-variables.js';
import {
  ConfigurationError,
  type Environment,
  readVariables,
  type Variable,
} from '../../shared/kernel/config/config.js';

export const gatewayVariables = [
  {
    name: 'GATEWAY_COMMAND_API_URLS',
    kind: 'list',
    default: 'http://127.0.0.1:8011',
    description: 'Addresses of all instances of the command API for the gateway, separated by commas.',
  },
  {
    name: 'GATEWAY_QUERY_API_URLS',
    kind: 'list',
    default: 'http://127.0.0.1:8012',
    description: 'Addresses of all instances of the query API for the gateway, separated by commas.',
  },
] as const satisfies readonly Variable[];

/** Throws ConfigurationError with every problem at once. */
export function gatewayConfig(environment: Environment) {
  const edge = edgeConfig(environment, DEFAULT_PORTS.service);
  const values = readVariables(gatewayVariables, environment);
  const problems: string[] = [];
  const command = originsIn('GATEWAY_COMMAND_API_URLS', values.GATEWAY_COMMAND_API_URLS, problems);
  const query = originsIn('GATEWAY_QUERY_API_URLS', values.GATEWAY_QUERY_API_URLS, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { ...edge, instances: { command, query } };
}

function originsIn(name: string, texts: readonly string[], problems: string[]): readonly URL[] {
  if (texts.length === 0) problems.push(`${name} must name at least one instance, for example http://10.0.0.7:8011`);
  return texts.flatMap((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url !== null && url.protocol === 'http:' && url.pathname === '/' && url.search === '') return [url];
    problems.push(
      `${name}: ${JSON.stringify(text)} is not the address of an instance; write for example http://10.0.0.7:8011`,
    );
    return [];
  });
}
