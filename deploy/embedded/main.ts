/** `npm start`: runs the embedded composition as a process. */
import '../../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { listen } from '../../shared/http/listen.js';
import { accessNote } from '../../shared/http/loopback.js';
import { createMetrics, serveMetrics } from '../../shared/http/serve-metrics.js';
import { randomIds, systemClock } from '../../shared/kernel/clock.js';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { warnOfMisspelt } from '../../shared/kernel/config/misspelt-variables.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';
import { runProcess } from '../../shared/kernel/process.js';
import { programVersion } from '../../shared/kernel/program-version.js';
import { startTracing } from '../../shared/kernel/tracing/start-tracing.js';
import { embeddedConfig } from './config.js';
import { createEmbedded } from './embedded.js';

await runProcess(process, async () => {
  const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
  const config = embeddedConfig(environment, process.cwd());
  const version = programVersion();
  const logger = createLogger({ level: config.edge.logLevel, stream: process.stderr });
  warnOfMisspelt(environment, logger);
  const metrics = config.edge.metrics ? await createMetrics({ service: 'palimpsest', version }) : undefined;
  const tracing = await startTracing({ service: 'embedded', version, environment, logger });
  const service = await createEmbedded({ config, version, logger, metrics, clock: systemClock, ids: randomIds });
  const open = async () => {
    await service.warmUp();
    const server = await listen(service.app, {
      port: config.edge.port,
      host: config.edge.host,
    });
    if (metrics === undefined || config.edge.metrics === null) return { server, scraped: null };
    const scraped = await serveMetrics({ metrics, config: config.edge.metrics, logger }).catch(
      async (error: unknown) => {
        await server.close(0);
        throw error;
      },
    );
    return { server, scraped };
  };
  const { server, scraped } = await open().catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  process.stdout.write(
    greeting({
      version,
      port: server.port,
      dataFolder: config.dataFolder,
      metricsPort: scraped?.port ?? null,
      hasMcp: config.mcp !== null,
      hasConsole: config.query.viewer.isConsoleEnabled,
      note: accessNote(config.edge),
    }),
  );
  return {
    logger,
    // One deadline for the requests, and the same again for everything that closes after them.
    stopDeadlineMs: 2 * config.edge.stopDeadlineMs + 1_000,
    stop: async () => {
      await server.close(config.edge.stopDeadlineMs);
      await scraped?.close();
      await service.close();
      await tracing.stop();
    },
  };
});

function greeting({
  version,
  port,
  dataFolder,
  metricsPort,
  hasMcp,
  hasConsole,
  note,
}: {
  readonly version: string;
  readonly port: number;
  readonly dataFolder: string;
  /** null without metrics. */
  readonly metricsPort: number | null;
  readonly hasMcp: boolean;
  readonly hasConsole: boolean;
  readonly note: string;
}): string {
  const url = `http://localhost:${port}`;
  return [
    `Palimpsest ${version} listens on ${url} and keeps its data in ${dataFolder}`,
    ...(hasConsole ? [`A browser shows its console at ${url}/console, and its API at ${url}/docs`] : []),
    ...(hasMcp ? [`Agents reach it over MCP at ${url}/mcp`] : []),
    ...(metricsPort === null ? [] : [`Prometheus reads its metrics at http://localhost:${metricsPort}/metrics`]),
    `${note}Try:`,
    `  curl -s ${url}/memory -H 'Content-Type: application/json' -d '{"content": "The kitten only eats tuna"}'`,
    `  curl -s '${url}/recall?query=feeding+a+young+cat'`,
    `  curl -s ${url}/health`,
    '',
  ].join('\n');
}
