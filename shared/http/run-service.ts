/**
 * What the processes of the distributed composition have in common: each reads its configuration, waits for the servers that it stands
 * on, listens, says in one line where it is and what it uses, and stops in order.
 */
import { hostname } from 'node:os';
import type { OperationName } from '../contract/operations.js';
import { randomIds, systemClock, type Clock, type Ids } from '../kernel/clock.js';
import type { Environment } from '../kernel/config.js';
import { createLogger } from '../kernel/create-logger.js';
import type { Patience } from '../kernel/keep-trying.js';
import type { Logger } from '../kernel/logger.js';
import { runProcess, type ProcessHost, type Running } from '../kernel/process.js';
import { programVersion } from '../kernel/program-version.js';
import { createResources, type Resources } from '../kernel/resources.js';
import type { StartConfig } from '../kernel/start-variables.js';
import { createApp } from './create-app.js';
import type { EdgeConfig } from './edge-variables.js';
import type { Handlers } from './handler.js';
import { listen } from './listen.js';

/** What every such process is configured with, beside what is its own. */
export type ServiceConfig = { readonly edge: EdgeConfig; readonly start: StartConfig };

export type Opening<C extends ServiceConfig> = {
  readonly config: C;
  readonly version: string;
  /** No two processes of a kind have the same. */
  readonly instance: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What is opened is added here, and closed in reverse once the last request has been answered. */
  readonly resources: Resources;
  /** For `keepTrying`. */
  readonly patience: Patience;
};

export type Opened = {
  readonly handlers: Partial<Handlers<OperationName>>;
  /** The servers it stands on, each with its place and without credentials. */
  readonly uses: readonly string[];
};

export type Service<C extends ServiceConfig> = {
  readonly name: string;
  readonly environment: () => Environment;
  readonly configure: (environment: Environment) => C;
  readonly open: (opening: Opening<C>) => Promise<Opened>;
};

type Host = ProcessHost & {
  readonly pid: number;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { readonly isTTY?: boolean };
};

export function runService<C extends ServiceConfig>(host: Host, service: Service<C>): Promise<void> {
  return runProcess(host, async (told) => {
    const config = service.configure(service.environment());
    const logger = createLogger({ level: config.edge.logLevel, stream: host.stderr }).child({ service: service.name });
    const resources = createResources();
    const { timeoutMs, instanceName } = config.start;
    const instance = instanceName ?? `${hostname()}-${host.pid}-${randomIds.uuid().slice(0, 8)}`;
    const version = programVersion();
    try {
      const opened = await service.open({
        config,
        version,
        instance,
        logger,
        resources,
        clock: systemClock,
        ids: randomIds,
        patience: { logger, signal: told, timeoutMs },
      });
      const serving = await serve(opened, { config, logger, resources });
      host.stdout.write(
        `Palimpsest ${version} ${service.name} listens on http://localhost:${serving.port} and uses ${opened.uses.join(', ')}\n`,
      );
      return serving.running;
    } catch (error) {
      await resources.close();
      throw error;
    }
  });
}

/** Nothing is accepted before everything is open: a gateway asks another instance meanwhile. */
async function serve(
  { handlers }: Opened,
  {
    config: { edge },
    logger,
    resources,
  }: {
    readonly config: ServiceConfig;
    readonly logger: Logger;
    readonly resources: Resources;
  },
): Promise<{ readonly port: number; readonly running: Running }> {
  const app = createApp({ handlers, tokens: edge.tokens, allowedOrigins: edge.allowedOrigins, logger, ids: randomIds });
  const server = await listen(app, { port: edge.port, host: edge.host, requestTimeoutMs: edge.requestTimeoutMs });
  return {
    port: server.port,
    running: {
      logger,
      // Requests have their deadline; what is closed after them has as much again.
      stopDeadlineMs: 2 * edge.stopDeadlineMs + 1_000,
      stop: async () => {
        await server.close(edge.stopDeadlineMs);
        await resources.close();
      },
    },
  };
}
