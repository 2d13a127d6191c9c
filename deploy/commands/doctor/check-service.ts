/** Checks of the port, of the clock, and of a running service by its address. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DATA_FILE } from '../../../shared/engines/sqlite/open.js';
import { DEFAULT_PORTS, edgeConfig } from '../../../shared/http/edge-variables.js';
import { withTimeoutSignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { failureClause } from '../../../shared/kernel/fetch-failure.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { palimpsestCommand } from '../../../shared/kernel/palimpsest-command.js';
import { programVersion } from '../../../shared/kernel/program-version.js';
import { dataFolderOf } from './check-data.js';
import { type Found, ok, problem, warning } from './found.js';

/** A Date header has whole seconds. */
const CLOCK_DIFFERENCE_LIMIT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 4_000;
const WRONG_URL = 'write for example http://localhost:8001';

export async function checkPort(environment: Environment): Promise<Found> {
  const { port, host } = edgeConfig(environment, DEFAULT_PORTS.service);
  if (port === 0) return ok('PORT is 0, so the service takes a free one');
  const server = createServer();
  try {
    await once(server.listen({ port, host }), 'listening');
    server.close();
    return ok(`${port} is free`);
  } catch (error) {
    const name = host?.includes(':') ? `[${host}]` : (host ?? 'localhost');
    const own = await readHealth(`http://${name}:${port}`).catch(() => null);
    if (own?.body) return ok(`Palimpsest ${own.body.version} answers on ${port}`);
    return problem(
      `${port} cannot be opened (${messageOf(error)})`,
      'stop the program that has it, set PORT to a free one above 1023, or correct LISTEN_HOST',
    );
  }
}

export async function checkService(url: string): Promise<Found> {
  const address = addressOf(url);
  if (address === null) return problem('the address of the service is no URL', WRONG_URL);
  try {
    const { body, status } = await readHealth(address);
    if (body === null)
      return problem(
        `${address} answers ${status}, and not as Palimpsest does`,
        `give the address of the service or of its gateway: ${WRONG_URL}`,
      );
    const text = `Palimpsest ${body.version} at ${address} is ${body.status}`;
    const bad = [...body.problems, ...body.disconnected.map((name) => `${name} is disconnected`)];
    if (body.status !== 'healthy' || bad.length > 0)
      return problem(
        [text, ...bad].join('; '),
        'read its log, and what deploy/docs/operations.md says about these parts',
      );
    if (body.version === programVersion()) return ok(text);
    return warning(`${text}, and this program is ${programVersion()}`, 'run the same version of both');
  } catch (error) {
    return problem(
      `the service at ${address} ${failureClause(error)}`,
      `start it with ${palimpsestCommand('serve')}, or correct the address`,
    );
  }
}

/** Compares the clock with that of the service, or with the last write of the data file. */
export async function checkClock(
  url: string | null,
  data: { readonly environment: Environment; readonly folder: string } | null,
): Promise<Found> {
  const remedy = 'synchronize the clock of this machine, for example with systemd-timesyncd or chrony';
  if (url !== null) {
    const address = addressOf(url);
    const date = address === null ? null : await readHealth(address).then(dateOf, () => null);
    if (date === null) return warning('not compared, because the service does not answer', 'make the service answer');
    const seconds = Math.round((Date.now() - date) / 1_000);
    const text = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the clock of the service`;
    return Math.abs(seconds) * 1_000 > CLOCK_DIFFERENCE_LIMIT_MS ? warning(text, remedy) : ok(text);
  }
  const file = data === null ? null : join(dataFolderOf(data.environment, data.folder), DATA_FILE);
  if (file === null || !existsSync(file)) return ok('nothing to compare it with');
  const { mtimeMs } = await stat(file);
  if (mtimeMs - Date.now() > CLOCK_DIFFERENCE_LIMIT_MS)
    return warning(`the data file was written in the future, at ${new Date(mtimeMs).toISOString()}`, remedy);
  return ok('not before the last write of the data file');
}

function dateOf({ date }: { readonly date: string | null }): number | null {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? null : time;
}

/** Without credentials, which a URL may hold. Null for a text that is no URL of HTTP. */
function addressOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname } = new URL(url);
  return /^https?:$/u.test(protocol) ? `${protocol}//${host}${pathname.replace(/\/$/u, '')}` : null;
}

type Health = {
  readonly status: string;
  readonly version: string;
  readonly problems: readonly string[];
  readonly disconnected: readonly string[];
};

/** `body`: null for the answer of another program. Rejects without an answer. */
function readHealth(address: string) {
  return withTimeoutSignal(REQUEST_TIMEOUT_MS, [], async (signal) => {
    const answer = await fetch(`${address}/health`, { signal });
    const body: unknown = await answer.json().catch(() => null);
    return { status: answer.status, date: answer.headers.get('date'), body: healthOf(body) };
  });
}

function healthOf(body: unknown): Health | null {
  if (!isRecord(body) || typeof body['version'] !== 'string' || !('vector_dimensions' in body)) return null;
  const { status, version, problems } = body;
  return {
    status: String(status),
    version,
    problems: Array.isArray(problems) ? problems.map(String) : [],
    disconnected: ['neo4j', 'qdrant', 'journal'].filter((name) => body[name] === 'disconnected'),
  };
}
