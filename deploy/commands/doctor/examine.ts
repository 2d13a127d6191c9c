/** Examines an installation: what keeps the service from starting or from answering, and what to do about it. */
import { homedir } from 'node:os';
import { raceDeadline } from '../../../shared/kernel/concurrency/within-deadline.js';
import { ConfigurationError, type Environment } from '../../../shared/kernel/config/config.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { checkDataFolder, checkDisk } from './check-data.js';
import {
  checkConfiguration,
  checkEncoder,
  checkEnvironmentFiles,
  checkNames,
  checkNode,
  checkRuntime,
  checkTokens,
} from './check-process.js';
import { checkKafka, checkNeo4j, checkPostgres, checkQdrant } from './check-servers.js';
import { checkClock, checkPort, checkService } from './check-service.js';
import { type Check, type Found, problem, warning } from './found.js';

/** `remedy` says what to do about everything that is not `ok`. No text holds a token or a password. */
export type Finding = { readonly check: string } & Found;

const CHECK_DEADLINE_MS = 5_000;

/**
 * Runs all checks side by side; none changes anything, and none prevents another one. `url`: the address of a running
 * service or gateway. `distributed`: examines the servers instead of the data folder and the port. `folder` and `home`
 * have the `.env` files.
 */
export async function examine(
  environment: Environment,
  {
    url,
    distributed,
    folder = process.cwd(),
    home = homedir(),
  }: {
    readonly url: string | null;
    readonly distributed: boolean;
    readonly folder?: string;
    readonly home?: string;
  },
): Promise<readonly Finding[]> {
  const checks: Readonly<Record<string, Check>> = {
    node: () => checkNode(process.versions.node),
    '.env': () => checkEnvironmentFiles({ folder, home }),
    names: () => checkNames(environment),
    configuration: () => checkConfiguration(environment, { distributed, folder }),
    tokens: () => checkTokens(environment),
    encoder: () => checkEncoder(environment),
    runtime: () => checkRuntime(environment),
    ...(distributed
      ? {
          postgres: () => checkPostgres(environment),
          neo4j: () => checkNeo4j(environment),
          kafka: () => checkKafka(environment),
          qdrant: () => checkQdrant(environment),
        }
      : {
          'data folder': () => checkDataFolder(environment, folder),
          disk: () => checkDisk(environment, folder),
          port: () => checkPort(environment),
        }),
    clock: () => checkClock(url, distributed ? null : { environment, folder }),
    ...(url === null ? {} : { service: () => checkService(url) }),
  };
  const findings = await Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      const found = await raceDeadline(
        run().catch((error: unknown) => notChecked(error)),
        { milliseconds: CHECK_DEADLINE_MS, onDeadline: late },
      );
      return [found].flat().map((one) => ({ check, ...one }));
    }),
  );
  return findings.flat();
}

function late(): Found {
  return problem(
    `no answer within ${CHECK_DEADLINE_MS / 1_000} s`,
    'check the address and the load of what is asked, then examine again',
  );
}

function notChecked(error: unknown): Found {
  return error instanceof ConfigurationError
    ? warning('not checked, because its variables cannot be used', 'correct the configuration, then examine again')
    : problem(`not checked: ${messageOf(error)}`, 'remove the cause that the message names, then examine again');
}
