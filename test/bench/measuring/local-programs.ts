/** The programs that `npm run local` has started with the present LOCAL_DIR. */
import { localConfig } from '../../../deploy/local/config.js';
import { createLocal } from '../../../deploy/local/local.js';
import { REPOSITORY } from '../../support/checks/source-files.js';

export type LocalProgram = { readonly name: string; readonly pid: number; readonly isServer: boolean };

/** `restarted`: the programs whose names begin so are restarted first. */
export async function localPrograms({
  restarted,
  adminToken,
}: {
  readonly restarted?: string;
  readonly adminToken?: string | undefined;
} = {}): Promise<readonly LocalProgram[]> {
  const { programs, stack } = await createLocal({
    config: localConfig(process.env, REPOSITORY),
    environment: { ...process.env, ...(adminToken !== undefined && { ADMIN_API_TOKEN: adminToken }) },
    repository: REPOSITORY,
    report: () => undefined,
    shutdownSignal: new AbortController().signal,
  });
  const running = (await stack.status(programs)).filter(({ pid }) => pid !== null).map(({ name }) => name);
  if (restarted !== undefined) {
    const chosen = programs.filter(({ name }) => name.startsWith(restarted) && running.includes(name));
    await stack.down(chosen);
    await stack.start(chosen);
  }
  const isServer = new Map(programs.map(({ name, kind }) => [name, kind === 'server']));
  return (await stack.status(programs)).flatMap(({ name, pid }) =>
    pid === null ? [] : [{ name, pid, isServer: isServer.get(name) === true }],
  );
}
