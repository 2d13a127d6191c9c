/** The embedded service as a person runs it: a child process, so that tests can kill it, starve it or start it twice. */
import { startChild, type Child, type ChildOptions as ProcessOptions } from './child-process.js';
import { createHttpCaller, type HttpCaller } from './http-caller.js';

export type ChildService = HttpCaller & Omit<Child, 'prints' | 'ended'> & { readonly url: string };

export type ChildOptions = Pick<ProcessOptions, 'variables' | 'fileLimitKib'> & { readonly dataFolder: string };

/** Starts the service on a free port and resolves once it serves; rejects with its output when it ends first. */
export async function startChildService(options: ChildOptions): Promise<ChildService> {
  const child = spawnService(options);
  const [, port] = await child.prints(/http:\/\/[^\s:]+:(\d+)/u);
  const url = `http://127.0.0.1:${port}`;
  return { url, ...child, ...createHttpCaller(url) };
}

/** Runs the service until it ends by itself: for starts that must fail. */
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
