/** The gateway in front of a fleet: nginx if the machine has it, otherwise our own router. */
import { until } from '../checks/until.js';
import { startChild } from './child-process.js';
import { freePort } from './free-port.js';
import { NGINX, startNginx } from './nginx.js';

export type Gateway = { readonly url: string; readonly close: () => Promise<void> };

/** Instance addresses have the form `http://host:port`. */
export async function startGateway({
  commandApi,
  queryApi,
  folder,
  program = 'any',
}: {
  readonly commandApi: readonly string[];
  readonly queryApi: readonly string[];
  readonly folder: string;
  /** `router`: ours, also where the machine has nginx. */
  readonly program?: 'any' | 'router' | undefined;
}): Promise<Gateway> {
  if (NGINX !== null && program === 'any')
    return startNginx(NGINX, { commandApi: commandApi.map(hostOf), queryApi: queryApi.map(hostOf) });
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = startChild({
    main: 'deploy/gateway/main.js',
    folder,
    variables: {
      PORT: new URL(url).port,
      GATEWAY_COMMAND_API_URLS: commandApi.join(','),
      GATEWAY_QUERY_API_URLS: queryApi.join(','),
    },
  });
  await until('the gateway answers', () =>
    fetch(`${url}/livez`).then(
      () => true,
      () => false,
    ),
  );
  return { url, close: async () => void (await child.stop('SIGTERM')) };
}

function hostOf(url: string): string {
  return new URL(url).host;
}
