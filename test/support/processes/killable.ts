/** A service in processes of its own whose process that runs jobs can be killed, in both compositions. */
import type { HttpCaller } from '../clients/http-caller.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { areBothWanted } from './both-compositions.js';
import { startChildService } from './child-service.js';
import { lastLines, logTail, startFleet } from './fleet.js';
import { openTestDeployment } from './test-deployment.js';

export type Killable = HttpCaller & {
  /** Kills the process that runs the job. The caller is the service afterwards. */
  readonly killAndRestart: () => Promise<HttpCaller>;
  /** The last lines that its running processes logged. */
  readonly logTail: () => string;
  readonly close: () => Promise<void>;
};

type Composition = {
  readonly name: string;
  readonly start: (variables: Readonly<Record<string, string>>) => Promise<Killable>;
};

/** The distributed service needs all servers. */
export const KILLABLE_COMPOSITIONS: readonly Composition[] = [
  { name: 'embedded', start: startEmbeddedProcess },
  ...(areBothWanted() ? [{ name: 'distributed', start: startDistributedProcesses }] : []),
];

async function startEmbeddedProcess(variables: Readonly<Record<string, string>>): Promise<Killable> {
  const folder = await createTempFolder();
  let running = await startChildService({ dataFolder: folder.path, variables });
  return {
    request: (method, path, options) => running.request(method, path, options),
    killAndRestart: async () => {
      await running.stop('SIGKILL');
      running = await startChildService({ dataFolder: folder.path, variables });
      return running;
    },
    logTail: () => lastLines(running.output()),
    close: async () => {
      await running.stop('SIGTERM');
      await folder.remove();
    },
  };
}

async function startDistributedProcesses(variables: Readonly<Record<string, string>>): Promise<Killable> {
  const opened = await openTestDeployment();
  const fleet = await startFleet(opened.deployment, { variables });
  return {
    request: fleet.request,
    killAndRestart: async () => {
      for (const member of fleet.members('projectors')) await member.stop('SIGKILL');
      await fleet.add('projectors');
      return fleet;
    },
    logTail: () => logTail(fleet),
    close: async () => {
      await fleet.close();
      await opened.remove();
    },
  };
}
