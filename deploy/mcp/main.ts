#!/usr/bin/env node
/** `npm run start:mcp`: the bridge as a process, over stdio, or with `--http` for many clients. On stdio nothing but MCP goes to stdout. */
import { Console } from 'node:console';
import { homedir } from 'node:os';
import { ConfigurationError } from '../../shared/kernel/config.js';
import { createLogger } from '../../shared/kernel/create-logger.js';
import { readEnvironment } from '../../shared/kernel/environment.js';
import { runProcess } from '../../shared/kernel/process.js';
import { programVersion } from '../../shared/kernel/program-version.js';
import { bridgeConfig, bridgeServerConfig, mcpEdgeConfig } from './bridge-config.js';
import { createBridge } from './create-bridge.js';
import { createBridgeClient } from './create-bridge-client.js';
import { createTools } from './create-tools.js';
import { serveStdio } from './stdio/serve-stdio.js';

globalThis.console = new Console(process.stderr); // a stray line of a library would be read as MCP

await runProcess(process, async () => {
  const environment = readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() });
  const isHttp = wantsHttp(process.argv.slice(2));
  const config = bridgeConfig(environment);
  const server = isHttp ? { ...bridgeServerConfig(environment), ...mcpEdgeConfig(environment) } : null;
  const logger = createLogger({ level: config.logLevel ?? server?.logLevel ?? 'info', stream: process.stderr }).child({
    service: 'mcp',
  });
  config.warnings.forEach((warning) => logger.warn({}, warning));
  const version = programVersion();
  const bridge = createBridge({ tools: createTools(config), version, logger });
  if (server === null) {
    const client = createBridgeClient({ baseUrl: config.baseUrl, token: config.token, version });
    return serveStdio({ bridge, client, host: process, parentWatchMs: config.parentWatchMs, logger });
  }
  // Over stdio a client waits for the start, and has no use for what listens.
  const { serveHttp } = await import('./http/serve-http.js');
  const { running, port } = await serveHttp({ bridge, config: server, baseUrl: config.baseUrl, version, logger });
  process.stdout.write(`Palimpsest ${version} speaks MCP on http://localhost:${port}/mcp and uses ${config.baseUrl}\n`);
  return running;
});

function wantsHttp(given: readonly string[]): boolean {
  const unknown = given.find((argument) => argument !== '--http');
  if (unknown === undefined) return given.length > 0;
  throw new ConfigurationError([
    `${unknown} is not known here: without an argument the bridge speaks MCP over stdio, with --http it serves MCP over HTTP`,
  ]);
}
