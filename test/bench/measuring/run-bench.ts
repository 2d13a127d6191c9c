/** Runs one benchmark against an embedded service with an empty data folder, or against a running service (`--url`). */
import { parseArgs } from 'node:util';
import { until } from '../../support/checks/until.js';
import { type Answer, createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../../support/processes/child-service.js';
import { printTable, type Row } from './timing.js';

/** Its requests carry the admin token if there is one. */
export type Target = HttpCaller & {
  readonly url: string;
  readonly token: string | undefined;
  readonly adminToken: string | undefined;
  /** The process of the embedded service; null for a running service. */
  readonly child: ChildService | null;
  /** The data folder of the embedded service; a temporary folder for a running service. */
  readonly folder: string;
  /** Rejects unless the status is 2xx. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Starts the embedded service again and resolves when it is healthy, with the milliseconds from its start. */
  readonly restart: () => Promise<number>;
};

export type TargetOptions = {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly 'admin-token'?: string | undefined;
  /** The environment of the embedded service. */
  readonly variables?: Readonly<Record<string, string>>;
  /** An existing data folder, which stays; without it, a temporary one. */
  readonly folder?: string | undefined;
};

/** The options of the command line that choose the service. */
export const TARGET_OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  'admin-token': { type: 'string' },
} as const;

type Bench<Name extends string> = {
  /** The options of the command line in addition to `--url`, `--token`, `--admin-token`, `--folder` and `--seed`. */
  readonly defaults: Readonly<Record<Name, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly measure: (
    target: Target,
    options: Readonly<Record<Name, string>>,
    random: Random,
  ) => Promise<readonly Row[]>;
};

/** Reads the options, measures, and prints one table. */
export async function runBench<Name extends string>({ defaults, variables, measure }: Bench<Name>): Promise<void> {
  const own = Object.entries<string>(defaults).map(
    ([name, value]) => [name, { type: 'string' as const, default: value }] as const,
  );
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(own),
      ...TARGET_OPTIONS,
      folder: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  });
  const options = values as unknown as Readonly<Record<Name, string>>; // each has a default
  await withTarget({ ...values, ...(variables && { variables }) }, async (target) => {
    const rows = await measure(target, options, seededRandom(Number(values.seed)));
    const given = Object.keys(defaults).map((name) => `${name} ${options[name as Name] || '-'}`);
    printTable([values.url ?? 'embedded', ...given].join(', '), rows);
  });
}

/** Always stops the service that it has started, and removes its temporary folder. */
export async function withTarget<T>(
  { url, token, variables, folder: given, ...options }: TargetOptions,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const adminToken = options['admin-token'] ?? (url === undefined ? 'bench-admin' : undefined);
  const admin = adminToken === undefined ? {} : { 'x-admin-token': adminToken };
  const temporary = given === undefined ? await createTempFolder() : null;
  const folder = given ?? temporary?.path ?? '';
  const started: { child?: ChildService } = {};
  const start = async (): Promise<void> => {
    started.child = await startChildService({
      dataFolder: folder,
      variables: { ADMIN_API_TOKEN: adminToken ?? '', ...variables },
    });
  };
  const running = url === undefined ? null : createHttpCaller(url, token);
  const request: HttpCaller['request'] = (method, path, sent = {}) => {
    const caller = running ?? started.child ?? createHttpCaller('');
    return caller.request(method, path, { ...sent, headers: { ...admin, ...sent.headers } });
  };
  try {
    if (running === null) await start();
    return await work({
      request,
      token,
      adminToken,
      folder,
      get url() {
        return url ?? started.child?.url ?? '';
      },
      get child() {
        return started.child ?? null;
      },
      call: checkedCall({ request }),
      restart: async () => {
        await started.child?.stop('SIGTERM');
        const startedAt = performance.now();
        await start();
        await until('healthy', async () => (await request('GET', '/health')).body.status === 'healthy');
        return performance.now() - startedAt;
      },
    });
  } finally {
    await started.child?.stop('SIGTERM');
    await temporary?.remove();
  }
}

/** Rejects unless the status is 2xx. 207 means that a part has failed. */
export function checkedCall({ request }: HttpCaller): Target['call'] {
  return async (method, path, body) => {
    const answer = await request(method, path, { body });
    if (answer.status >= 200 && answer.status < 207) return answer;
    const text = JSON.stringify(answer.body).slice(0, 300);
    throw new Error(`${method} ${path.slice(0, 100)} answered ${answer.status}: ${text}`);
  };
}
