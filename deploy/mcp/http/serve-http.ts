/** Runs the bridge over HTTP for many clients: opens its port, and closes it at shutdown. */
import { listen } from '../../../shared/http/listen.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import type { Running } from '../../../shared/kernel/process.js';
import type { bridgeServerConfig, McpEdgeConfig } from '../bridge-config.js';
import { createHttpBridge, type HttpBridgeDependencies } from './http-bridge.js';

export async function serveHttp({
  config,
  ...bridge
}: Omit<HttpBridgeDependencies, 'config' | 'clock' | 'ids'> & {
  readonly config: ReturnType<typeof bridgeServerConfig> & McpEdgeConfig;
}): Promise<{ readonly running: Running; readonly port: number }> {
  const app = createHttpBridge({ ...bridge, config, clock: systemClock, ids: randomIds });
  const server = await listen(app, { port: config.port, host: config.host });
  return {
    port: server.port,
    running: {
      logger: bridge.logger,
      stopDeadlineMs: config.stopDeadlineMs + 1_000,
      stop: () => server.close(config.stopDeadlineMs),
    },
  };
}
