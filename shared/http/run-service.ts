/** What the processes of the distributed composition have in common, from their configuration to their stop. */
import { hostname } from 'node:os';
import type { OperationName } from '../contract/operations.js';
import { type Clock, type Ids, randomIds, systemClock } from '../kernel/clock.js';
import { createResources, type Resources } from '../kernel/concurrency/resources.js';
import type { StartupRetry } from '../kernel/concurrency/startup-retry.js';
import type { Environment } from '../kernel/config/config.js';
import { warnOfMisspelt } from '../kernel/config/misspelt-variables.js';
import type { StartConfig } from '../kernel/config/start-variables.js';
import type { LogStream } from '../kernel/log-output.js';
import type { Logger } from '../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../kernel/metrics/metrics.js';
import { createLogger } from '../kernel/pino-logger.js';
import { type ProcessHost, type Running, runProcess } from '../kernel/process.js';
import { programVersion } from '../kernel/program-version.js';
import { startTracing } from '../kernel/tracing/start-tracing.js';
import { createApp } from './app.js';
import type { CheckKey } from './auth.js';
import type { EdgeConfig } from './edge-variables.js';
import type { Handlers } from './handler.js';
import { listen } from './listen.js';
import { accessNote } from './loopback.js';
import { openMetrics } from './serve-metrics.js';
import type { Tenancy } from './tenancy.js';

/** The part of the configuration that every process has. */
export type ServiceConfig = { readonly edge: EdgeConfig; readonly start: StartConfig };

export type StartContext<C extends ServiceConfig> = {
  readonly config: C;
  /** The variables from which the configuration was read. */
  readonly environment: Environment;
  readonly version: string;
  /** Unique among the processes of a kind. */
  readonly instance: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly ids: Ids;
  /** `open` adds each resource here. They are closed in reverse order after the last request has ended. */
  readonly resources: Resources;
  /** For `retryStartup`. */
  readonly startupRetry: StartupRetry;
  /** To open the service of a tenant, which has data and resources of its own. */
  readonly forTenant: (tenant: TenantName) => StartContext<C>;
};

type TenantName = { readonly id: string; readonly name: string };

export type StartedService = {
  readonly handlers: Partial<Handlers<OperationName>>;
  /** The servers that the process uses, each with its address and without credentials. */
  readonly uses: readonly string[];
  /** As `Running.failed`. */
  readonly failed?: Promise<string>;
  /** As for `createApp`. */
  readonly checkKey?: CheckKey;
  readonly historyId?: () => string | null;
  readonly tenancy?: Tenancy;
  /** Of a tenant: whether no work waits. Absent where this process has none. */
  readonly isQuiet?: () => Promise<boolean>;
  /** Of a tenant: its memories and the bytes of its journal. Absent where another process counts them. */
  readonly usage?: () => Promise<{ readonly memories: number; readonly bytes: number }>;
};

export type Service<C extends ServiceConfig> = {
  readonly name: string;
  readonly environment: () => Environment;
  readonly configure: (environment: Environment) => C;
  /** The environment of a tenant of this deployment. */
  readonly environmentOf: (environment: Environment, tenantId: string) => Environment;
  readonly open: (context: StartContext<C>) => Promise<StartedService>;
};

/** A request waits for its tenant; when a server does not answer, the next request tries again. */
const TENANT_START_MS = 10_000;

type Host = ProcessHost & { readonly pid: number; readonly stderr: LogStream };

export function runService<C extends ServiceConfig>(host: Host, service: Service<C>): Promise<void> {
  return runProcess(host, async (shutdownSignal) => {
    const environment = service.environment();
    const config = service.configure(environment);
    const logger = createLogger({ level: config.edge.logLevel, stream: host.stderr }).child({ service: service.name });
    warnOfMisspelt(environment, logger);
    const resources = createResources();
    const { timeoutMs, instanceName } = config.start;
    const instance = instanceName ?? `${hostname()}-${host.pid}-${randomIds.uuid().slice(0, 8)}`;
    const version = programVersion();
    try {
      resources.add(await startTracing({ service: service.name, version, environment, logger }), (tracing) =>
        tracing.stop(),
      );
      // Before the servers, so that a scrape also reads a process that still waits for its servers.
      const scraped = await openMetrics({ service: service.name, version, config: config.edge.metrics, logger });
      if (scraped !== null) resources.add(scraped, (server) => server.close());
      const metrics = scraped?.metrics ?? NO_METRICS;
      const common = { version, instance, clock: systemClock, ids: randomIds };
      const environmentOf = (id: string): Environment => service.environmentOf(environment, id);
      const forTenant = ({ id, name }: TenantName): StartContext<C> => {
        const own = logger.child({ tenant: name });
        return {
          ...common,
          config: service.configure(environmentOf(id)),
          environment: environmentOf(id),
          logger: own,
          // Counters and histograms are of all tenants; gauges are of the default one: open tenants come and go.
          metrics: { ...metrics, report: NO_METRICS.report },
          resources: createResources(),
          startupRetry: { logger: own, signal: shutdownSignal, timeoutMs: TENANT_START_MS },
          forTenant,
        };
      };
      const opened = await service.open({
        ...common,
        config,
        environment,
        logger,
        metrics,
        resources,
        startupRetry: { logger, signal: shutdownSignal, timeoutMs },
        forTenant,
      });
      const serving = await listenWith(opened, { edge: config.edge, logger, metrics, resources });
      host.stdout.write(
        `Palimpsest ${version} ${service.name} listens on http://localhost:${serving.port} and uses ${opened.uses.join(', ')}\n${accessNote(config.edge)}`,
      );
      return serving.running;
    } catch (error) {
      await resources.close();
      throw error;
    }
  });
}

/** The port opens only when all resources are open; a gateway uses another instance until then. */
async function listenWith(
  { handlers, failed, checkKey, historyId, tenancy }: StartedService,
  {
    edge,
    logger,
    metrics,
    resources,
  }: Pick<ServiceConfig, 'edge'> & Pick<StartContext<ServiceConfig>, 'logger' | 'metrics' | 'resources'>,
): Promise<{ readonly port: number; readonly running: Running }> {
  const { tokens, oidc, allowedOrigins, isLoopbackOnly } = edge;
  const app = createApp({
    handlers,
    tokens,
    checkKey,
    oidc,
    allowedOrigins,
    isLoopbackOnly,
    logger,
    metrics,
    ids: randomIds,
    ...(historyId !== undefined && { historyId }),
    ...(tenancy !== undefined && { tenancy }),
  });
  const server = await listen(app, { port: edge.port, host: edge.host });
  return {
    port: server.port,
    running: {
      logger,
      ...(failed === undefined ? {} : { failed }),
      // One deadline for the requests, and the same time again for the resources that close after them.
      stopDeadlineMs: 2 * edge.stopDeadlineMs + 1_000,
      stop: async () => {
        await server.close(edge.stopDeadlineMs);
        await resources.close();
      },
    },
  };
}
