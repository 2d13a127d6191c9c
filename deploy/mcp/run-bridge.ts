/** Runs the bridge as a process: over stdio, whose stdout carries MCP only, or over HTTP. */
import { Console } from 'node:console';
import { ConfigurationError, type Environment } from '../../shared/kernel/config/config.js';
import { warnOfMisspelt } from '../../shared/kernel/config/misspelt-variables.js';
import { createLogger } from '../../shared/kernel/pino-logger.js';
import { type Running, runProcess } from '../../shared/kernel/process.js';
import { programVersion } from '../../shared/kernel/program-version.js';
import { startTracing } from '../../shared/kernel/tracing/start-tracing.js';
import { createBridge, createBridgeClient, createToolset } from './bridge.js';
import { bridgeConfig, bridgeServerConfig, mcpEdgeConfig } from './bridge-config.js';
import { serveStdio } from './stdio/serve-stdio.js';

/** `line`: `--http` or nothing. Resolves at the end of the process. */
export function runBridge(line: readonly string[], environment: () => Environment): Promise<void> {
  globalThis.console = new Console(process.stderr); // a client would read a line that a library prints to stdout as MCP
  return runProcess(process, () => startBridge(line, environment()));
}

async function startBridge(line: readonly string[], environment: Environment): Promise<Running> {
  const isHttp = wantsHttp(line);
  const config = bridgeConfig(environment);
  const server = isHttp ? { ...bridgeServerConfig(environment), ...mcpEdgeConfig(environment) } : null;
  const logger = createLogger({ level: config.logLevel ?? server?.logLevel ?? 'info', stream: process.stderr }).child({
    service: 'mcp',
  });
  warnOfMisspelt(environment, logger);
  config.warnings.forEach((warning) => logger.warn({}, warning));
  const version = programVersion();
  const tracing = await startTracing({ service: 'mcp', version, environment, logger });
  const shared = { ...createToolset(config), version, logger };
  if (server === null) {
    const bridge = createBridge(shared);
    const client = createBridgeClient({ baseUrl: config.baseUrl, token: config.token, version });
    const running = await serveStdio({ bridge, client, host: process, parentWatchMs: config.parentWatchMs, logger });
    return { ...running, stop: () => running.stop().finally(tracing.stop) };
  }
  // Loaded only here: over stdio a client waits for the start and does not use the HTTP server.
  const { serveHttp } = await import('./http/http-bridge.js');
  const { openMetrics } = await import('../../shared/http/serve-metrics.js');
  const scraped = await openMetrics({ service: 'mcp', version, config: server.metrics, logger });
  const bridge = createBridge({ ...shared, metrics: scraped?.metrics });
  const { running, port } = await serveHttp({ bridge, config: server, baseUrl: config.baseUrl, version, logger });
  process.stdout.write(`Palimpsest ${version} speaks MCP on http://localhost:${port}/mcp and uses ${config.baseUrl}\n`);
  const stop = async () => {
    await running.stop();
    await scraped?.close();
    await tracing.stop();
  };
  return { ...running, stop };
}

function wantsHttp(given: readonly string[]): boolean {
  const unknown = given.find((argument) => argument !== '--http');
  if (unknown === undefined) return given.length > 0;
  throw new ConfigurationError([
    `${unknown} is not known here: without an argument the bridge speaks MCP over stdio, with --http it serves MCP over HTTP`,
  ]);
}
