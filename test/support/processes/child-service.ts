/** The embedded service as a child process, so that tests can kill it, limit its disk or start it twice. */
import { createHttpCaller, type HttpCaller } from '../clients/http-caller.js';
import { type Child, type ChildOptions as ProcessOptions, startChild } from './child-process.js';

export type ChildService = HttpCaller & Omit<Child, 'prints' | 'ended'> & { readonly url: string };

export type ChildOptions = Pick<ProcessOptions, 'variables' | 'fileLimitKib'> & { readonly dataFolder: string };

/** Starts the service on a free port and resolves when it serves. Rejects with its output if it ends first. */
export async function startChildService(options: ChildOptions): Promise<ChildService> {
  const child = spawnService(options);
  const [, port] = await child.prints(/http:\/\/[^\s:]+:(\d+)/u);
  const url = `http://127.0.0.1:${port}`;
  return { url, ...child, ...createHttpCaller(url) };
}

/** Runs the service until it ends by itself, for starts that must fail. */
export async function runChildService(
  options: ChildOptions,
): Promise<{ readonly exitCode: number | string; readonly output: string }> {
  const child = spawnService(options);
  return { exitCode: await child.ended, output: child.output() };
}

function spawnService({ dataFolder, variables, ...limits }: ChildOptions): Child {
  return startChild({
    main: 'deploy/embedded/main.js',
    folder: dataFolder,
    variables: { PORT: '0', LOG_LEVEL: 'warn', PALIMPSEST_DATA_DIR: dataFolder, ...variables },
    ...limits,
  });
}
