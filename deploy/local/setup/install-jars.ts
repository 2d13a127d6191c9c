/** Downloads a server's jars from Maven Central, and caches the list of their files. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSerialQueue } from '../../../shared/kernel/concurrency/serial-queue.js';
import type { Environment } from '../../../shared/kernel/config/config.js';
import { portOf } from '../addresses.js';
import type { LocalConfig } from '../config.js';
import type { Folders } from '../folders.js';
import { LaunchError, type Program } from '../programs/program.js';
import { isAccessible } from './find-tools.js';
import { tryCommand } from './run-command.js';

const ATTEMPTS = 6;
const RETRY_STEP_MS = 10_000;
const MAVEN_TIMEOUT_MS = 15 * 60_000;
const CLASS_PATH_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
/** Resolving takes 2 s with these, 7 s without. */
const FAST_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

export type JarRequest = {
  /** The name of the files in the cache; it contains the version. */
  readonly name: string;
  readonly pom: string;
  readonly properties?: Readonly<Record<string, string>>;
};

export interface JarInstaller {
  /** Resolves with the files of all jars that the pom names, and of their dependencies. */
  install(request: JarRequest): Promise<readonly string[]>;
}

export function createJarInstaller({
  folders: { cache },
  environment,
  report,
  shutdownSignal,
}: Omit<ServerDeps, 'config' | 'sources' | 'jars'>): JarInstaller {
  // One download at a time, because Maven processes write to the same repository. Reading it concurrently is harmless.
  const enqueueDownload = createSerialQueue();

  async function resolve({ name, pom, properties = {} }: JarRequest, options: readonly string[]): Promise<boolean> {
    const list = join(cache, `${name}.jars`);
    const given = Object.entries({ ...properties, includeScope: 'runtime', 'mdep.outputFile': `${list}.new` }).map(
      ([key, value]) => `-D${key}=${value}`,
    );
    const isResolved = await tryCommand(
      {
        file: 'mvn',
        arguments: ['-B', '-q', '-f', pom, ...options, ...given, CLASS_PATH_GOAL],
        environment: { ...environment, MAVEN_OPTS: `${environment['MAVEN_OPTS'] ?? ''} ${FAST_JAVA}` },
      },
      { log: join(cache, `${name}.maven.log`), timeoutMs: MAVEN_TIMEOUT_MS, shutdownSignal },
    );
    if (isResolved) await rename(`${list}.new`, list);
    return isResolved;
  }

  /** Maven Central may reject a burst of requests (429). The next attempt continues with the missing jars. */
  async function download(request: JarRequest): Promise<void> {
    report(`downloading ${request.name} from Maven Central`);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      // -U requests a jar again that failed the last time; without it Maven caches the failure for a day.
      if (await resolve(request, ['-U', '-Dmaven.artifact.threads=3', '-Dmaven.wagon.http.retryHandler.count=5']))
        return;
      if (attempt === ATTEMPTS) break;
      report(`Maven could not download all of ${request.name}; next attempt in ${(attempt * RETRY_STEP_MS) / 1_000} s`);
      await pause(attempt * RETRY_STEP_MS, undefined, { signal: shutdownSignal });
    }
    throw new LaunchError(
      `${request.name} cannot be downloaded from Maven Central: check that this machine reaches it (or a mirror, in ~/.m2/settings.xml), then run this again; Maven's output is in ${join(cache, `${request.name}.maven.log`)}`,
    );
  }

  return {
    async install(request) {
      const list = join(cache, `${request.name}.jars`);
      const known = await jarsIn(list);
      if (known !== null) return known;
      await mkdir(cache, { recursive: true });
      if (!(await resolve(request, ['-o']))) await enqueueDownload(() => download(request));
      const jars = await jarsIn(list);
      if (jars === null)
        throw new LaunchError(
          `Maven listed jars of ${request.name} that do not exist: delete ${list} and run this again`,
        );
      return jars;
    },
  };
}

/** Null unless the list and every jar in it exist. */
async function jarsIn(list: string): Promise<readonly string[] | null> {
  const text = await readFile(list, 'utf8').catch(() => '');
  const jars = text
    .trim()
    .split(':')
    .filter((jar) => jar !== '');
  const present = await Promise.all(jars.map((jar) => isAccessible(jar)));
  return jars.length > 0 && present.every(Boolean) ? jars : null;
}

/** A Java argument file, because a command line with 200 jars is hard to read in a list of processes. */
export function argumentFile(jars: readonly string[]): string {
  return `-cp "${jars.join(':').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"\n`;
}

/** Where the argument file of an installed server is. */
export function argumentFileOf(name: string, version: string, { cache }: Folders): string {
  return join(cache, `${name}-${version}.args`);
}

/** What the two Java servers have in common: their jars, and the argument file that names them. */
export function javaServer(
  name: 'kafka' | 'neo4j',
  version: string,
  { config, folders, sources, jars }: Pick<ServerDeps, 'config' | 'folders' | 'sources' | 'jars'>,
) {
  const file = argumentFileOf(name, version, folders);
  const pom = join(sources, name, 'pom.xml');
  return {
    argumentFile: file,
    program: {
      name,
      kind: 'server',
      port: portOf(name, config),
      stopSignal: 'SIGTERM',
      dataFolders: [folders.data(name)],
      tools: ['java', 'mvn'],
      install: async () => {
        const properties = { [`${name}.version`]: version };
        await writeFile(file, argumentFile(await jars.install({ name: `${name}-${version}`, pom, properties })));
      },
    },
  } as const satisfies { readonly argumentFile: string; readonly program: Partial<Program> };
}

export type ServerDeps = {
  readonly config: LocalConfig;
  readonly folders: Folders;
  /** The source folder of poms and configuration templates, which are not compiled. */
  readonly sources: string;
  readonly jars: JarInstaller;
  readonly environment: Environment;
  readonly report: (line: string) => void;
  /** Aborted when the launcher is asked to end. */
  readonly shutdownSignal: AbortSignal;
};
