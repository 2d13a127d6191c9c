#!/usr/bin/env node
/** The binary `palimpsest`. */
import '../../shared/kernel/require-node.js';
import { homedir } from 'node:os';
import util from 'node:util';

process.setSourceMapsEnabled(true); // has an effect on modules that are loaded later
const { readEnvironment } = await import('../../shared/kernel/config/environment.js');
const { EXIT, readBounded } = await import('./host.js');
const { runProgram } = await import('./program.js');

const { stdin, stdout, stderr } = process;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exitCode = EXIT.failed;
  if (error.code !== 'EPIPE') stderr.write(`The output cannot be written: ${error.message}\n`);
});
const hasColors = stdout.isTTY && stdout.hasColors();

process.exitCode = await runProgram(process.argv.slice(2), {
  variables: process.env,
  environment: () => readEnvironment({ process: process.env, folder: process.cwd(), home: homedir() }),
  print: (line) => void stdout.write(`${line}\n`),
  printError: (line) => void stderr.write(`${line}\n`),
  readInput: () => readBounded(stdin),
  isTerminal: stdout.isTTY,
  paint: (style, shown) => (hasColors ? util.styleText(style, shown) : shown),
  exitCode: EXIT.done,
});
