/** The gateways that the suites run over: our router in Node, and nginx if this machine has it. */
import type { GatewayLimits } from '../../../deploy/gateway/gateway-limits.js';
import { createRouter } from '../../../deploy/gateway/router.js';
import type { Api } from '../../../deploy/gateway/routes.js';
import { listen } from '../../../shared/http/listen.js';
import { randomIds } from '../../../shared/kernel/clock.js';
import { createLogger } from '../../../shared/kernel/pino-logger.js';
import { NGINX, startNginx } from '../processes/nginx.js';
import { usesRealEngines } from '../processes/service.js';

export type Gateway = {
  readonly url: string;
  /** Resolves with the whole log so far. */
  readonly logs: () => Promise<string>;
  readonly close: () => Promise<void>;
};

export type GatewayOptions = {
  readonly instances: Readonly<Record<Api, readonly string[]>>;
  readonly limits?: Partial<GatewayLimits>;
};

export type GatewayAdapter = { readonly name: string; readonly open: (options: GatewayOptions) => Promise<Gateway> };

const STOP_DEADLINE_MS = 1_000;

export const ROUTER: GatewayAdapter = {
  name: 'the in-process router',
  open: async ({ instances, limits = {} }) => {
    const lines: string[] = [];
    const urls = {
      command: instances.command.map((url) => new URL(url)),
      query: instances.query.map((url) => new URL(url)),
    };
    const running = createRouter({
      instances: urls,
      limits,
      ids: randomIds,
      logger: createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } }),
    });
    const server = await listen(running, { port: 0, host: '127.0.0.1' });
    return {
      url: `http://127.0.0.1:${server.port}`,
      logs: async () => lines.join(''),
      close: async () => {
        await server.close(STOP_DEADLINE_MS);
        running.close();
      },
    };
  },
};

function nginx(program: string): GatewayAdapter {
  const addresses = (urls: readonly string[]): readonly string[] => urls.map((url) => new URL(url).host);
  return {
    name: 'nginx',
    open: ({ instances, limits = {} }) =>
      startNginx(program, { commandApi: addresses(instances.command), queryApi: addresses(instances.query), limits }),
  };
}

export const GATEWAYS: readonly GatewayAdapter[] = [ROUTER, ...(NGINX === null ? [] : [nginx(NGINX)])];

/** Added to suite titles, so that a run without nginx shows it. */
export const GATEWAYS_NOTE = NGINX === null ? ' (router only: nginx is not installed)' : '';

/** What a browser connects to. */
export type Front = {
  readonly name: string;
  readonly open: (url: string) => Promise<{ url: string; close: () => Promise<void> }>;
};

export const DIRECT: Front = {
  name: 'of the embedded service',
  open: async (url) => ({ url, close: async () => undefined }),
};
export const BEHIND: readonly Front[] = GATEWAYS.map(({ name, open }): Front => ({
  name: `behind ${name}`,
  open: (url) => open({ instances: { command: [url], query: [url] } }),
}));

/** Without a gateway, and behind each. */
export const ALL_FRONTS: readonly Front[] = [DIRECT, ...BEHIND];

/** The embedded service has no gateway; the distributed one is always behind one: nginx, where it is installed. */
export const FRONTS: readonly Front[] = usesRealEngines() ? BEHIND.slice(-1) : [DIRECT];
