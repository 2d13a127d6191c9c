/** Runs the local PgBouncer in front of the test Postgres, as a child process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../checks/until.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { freePort } from './free-port.js';
import { accepts, findProgram } from './programs.js';

/** The path of PgBouncer, or null if the machine has none. */
export const PGBOUNCER: string | null = findProgram('pgbouncer');

export type RunningPgBouncer = { readonly url: string; readonly close: () => Promise<void> };

export type PgBouncerOptions = {
  /** The address of the database behind it. */
  readonly url: string;
  readonly poolMode: 'session' | 'transaction';
  /** Parameters of new connections that it drops instead of refusing them. */
  readonly ignoredParameters: readonly string[];
};

const UNPRIVILEGED = 65_534;

/** Starts PgBouncer on a free loopback port and resolves when it accepts connections. */
export async function startPgBouncer(program: string, options: PgBouncerOptions): Promise<RunningPgBouncer> {
  const port = await freePort();
  const folder = await createTempFolder();
  await chmod(folder.path, 0o755);
  const file = join(folder.path, 'pgbouncer.ini');
  await writeFile(file, configFile(options, port), { mode: 0o644 });
  // PgBouncer does not run as root.
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const child = spawn(program, ['-q', file], { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  await until('PgBouncer accepts connections', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}: ${stderr}`);
    return accepts(port);
  });
  const url = new URL(options.url);
  [url.hostname, url.port] = ['127.0.0.1', String(port)];
  return {
    url: url.href,
    close: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await ended;
      await folder.remove();
    },
  };
}

function configFile({ url, poolMode, ignoredParameters }: PgBouncerOptions, port: number): string {
  const { hostname, port: serverPort, username, password } = new URL(url);
  return `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
ignore_startup_parameters = ${['extra_float_digits', ...ignoredParameters].join(', ')}
`;
}
