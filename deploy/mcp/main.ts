#!/usr/bin/env node
/** `npm run start:mcp`: the bridge over stdio, or with `--http`. */
import '../../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import { readEnvironment } from '../../shared/kernel/config/environment.js';
import { runBridge } from './run-bridge.js';

await runBridge(process.argv.slice(2), () =>
  readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
);
