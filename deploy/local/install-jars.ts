/** Fetches a server's jars from Maven Central into the user's own Maven repository, and remembers where they are. */
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../shared/kernel/config.js';
import type { Folders } from './folders.js';
import { LaunchError } from './launch-error.js';
import { tryCommand } from './run-command.js';

const ATTEMPTS = 6;
const RETRY_STEP_MS = 10_000;
const MAVEN_TIMEOUT_MS = 15 * 60_000;
const CLASS_PATH_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
/** Resolving takes 2 s with these, 7 s without. */
const FAST_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

export type JarRequest = {
  /** Names the files in the cache; with the version in it. */
  readonly name: string;
  readonly pom: string;
  readonly properties?: Readonly<Record<string, string>>;
};

export interface JarInstaller {
  /** Resolves with the files of all jars that the pom names and what these stand on. */
  install(request: JarRequest): Promise<readonly string[]>;
}

export type JarInstallerDeps = {
  readonly folders: Folders;
  readonly environment: Environment;
  readonly say: (line: string) => void;
  readonly told: AbortSignal;
};

export function createJarInstaller({ folders: { cache }, environment, say, told }: JarInstallerDeps): JarInstaller {
  // Two Mavens that download at the same time write to the same repository; reading it side by side is harmless.
  let downloads: Promise<unknown> = Promise.resolve();

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
      { log: join(cache, `${name}.maven.log`), timeoutMs: MAVEN_TIMEOUT_MS, told },
    );
    if (isResolved) await rename(`${list}.new`, list);
    return isResolved;
  }

  /** Maven Central may refuse a burst (429). What has arrived stays in the repository, so the next attempt goes on from there. */
  async function download(request: JarRequest): Promise<void> {
    say(`fetching ${request.name} from Maven Central`);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      // -U asks again for what was refused the last time; without it Maven remembers the refusal for a day.
      if (await resolve(request, ['-U', '-Dmaven.artifact.threads=3', '-Dmaven.wagon.http.retryHandler.count=5']))
        return;
      if (attempt === ATTEMPTS) break;
      say(`Maven could not fetch all of ${request.name}; trying again in ${(attempt * RETRY_STEP_MS) / 1_000} s`);
      await pause(attempt * RETRY_STEP_MS, undefined, { signal: told });
    }
    throw new LaunchError(
      `${request.name} cannot be fetched from Maven Central: see that this machine reaches it (or a mirror, in ~/.m2/settings.xml), then run this again; Maven's words are in ${join(cache, `${request.name}.maven.log`)}`,
    );
  }

  return {
    async install(request) {
      const list = join(cache, `${request.name}.jars`);
      const known = await jarsIn(list);
      if (known !== null) return known;
      await mkdir(cache, { recursive: true });
      if (!(await resolve(request, ['-o']))) {
        const turn = downloads.then(() => download(request));
        downloads = turn.catch(() => undefined);
        await turn;
      }
      const jars = await jarsIn(list);
      if (jars === null)
        throw new LaunchError(
          `Maven named jars of ${request.name} that are not there: delete ${list} and run this again`,
        );
      return jars;
    },
  };
}

/** Null unless the list is there and so is every jar in it. */
async function jarsIn(list: string): Promise<readonly string[] | null> {
  const text = await readFile(list, 'utf8').catch(() => '');
  const jars = text
    .trim()
    .split(':')
    .filter((jar) => jar !== '');
  const present = await Promise.all(
    jars.map((jar) =>
      access(jar).then(
        () => true,
        () => false,
      ),
    ),
  );
  return jars.length > 0 && present.every(Boolean) ? jars : null;
}

/** A Java argument file: command lines with 200 jars in them are hard to read in a list of processes. */
export function argumentFile(jars: readonly string[]): string {
  return `-cp "${jars.join(':').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"\n`;
}

export async function writeArgumentFile(file: string, jars: readonly string[]): Promise<void> {
  await writeFile(file, argumentFile(jars));
}
