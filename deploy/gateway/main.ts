/** Runs the gateway in Node as a process. */
import '../../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { listen } from '../../shared/http/listen.js';
import { accessNote } from '../../shared/http/loopback.js';
import { openMetrics } from '../../shared/http/serve-metrics.js';
import { randomIds } from '../../shared/kernel/clock.js';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { warnOfMisspelt } from '../../shared/kernel/config/misspelt-variables.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';
import { runProcess } from '../../shared/kernel/process.js';
import { programVersion } from '../../shared/kernel/program-version.js';
import { startTracing } from '../../shared/kernel/tracing/start-tracing.js';
import { gatewayConfig } from './gateway-config.js';
import { createRouter } from './router.js';

await runProcess(process, async () => {
  const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
  const config = gatewayConfig(environment);
  const logger = createLogger({ level: config.logLevel, stream: process.stderr });
  warnOfMisspelt(environment, logger);
  const about = { service: 'gateway', version: programVersion() };
  const tracing = await startTracing({ ...about, environment, logger });
  const scraped = await openMetrics({ ...about, config: config.metrics, logger });
  const router = createRouter({ instances: config.instances, logger, metrics: scraped?.metrics, ids: randomIds });
  const server = await listen(router, { port: config.port, host: config.host });
  process.stdout.write(`Palimpsest listens on http://localhost:${server.port}\n${accessNote(config)}`);
  return {
    logger,
    stopDeadlineMs: config.stopDeadlineMs + 1_000,
    stop: async () => {
      await server.close(config.stopDeadlineMs);
      await scraped?.close();
      router.close();
      await tracing.stop();
    },
  };
});
