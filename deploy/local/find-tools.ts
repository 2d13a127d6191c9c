/** The programs of the machine that the launcher stands on: Java for Neo4j and Kafka, Maven and Python to install. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { LaunchError } from './launch-error.js';

export type Tool = 'java' | 'mvn' | 'python3';

const CALLED: Readonly<Record<Tool, string>> = {
  java: 'Java 17 or later (java)',
  mvn: 'Maven (mvn)',
  python3: 'Python 3.10 or later (python3)',
};

/** Throws one line that names everything that is missing. */
export async function demandTools(tools: readonly Tool[], path: string): Promise<void> {
  const missing = await Promise.all(tools.map(async (tool) => ((await isThere(tool, path)) ? [] : [CALLED[tool]])));
  const names = missing.flat();
  if (names.length > 0)
    throw new LaunchError(
      `Not found on this machine: ${names.join(', ')}. Install ${names.length > 1 ? 'them' : 'it'}, and see that PATH leads there`,
    );
}

/** The file of a program on PATH. */
export async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
    const file = join(folder, name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return null;
}

async function isThere(tool: Tool, path: string): Promise<boolean> {
  if ((await findOnPath(tool, path)) === null) return false;
  if (tool === 'java') return javaVersion(await outputOf('java', ['-version'])) >= 17;
  if (tool === 'python3') return isPythonRecent(await outputOf('python3', ['--version']));
  return true;
}

/** `openjdk version "17.0.15" 2025-04-15`, or `"1.8.0_292"` of old. */
export function javaVersion(output: string): number {
  return Number(/version "(?:1\.)?(\d+)/u.exec(output)?.[1] ?? 0);
}

/** `Python 3.11.7` */
export function isPythonRecent(output: string): boolean {
  const [, major, minor] = /Python (\d+)\.(\d+)/u.exec(output) ?? [];
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 10);
}

async function outputOf(file: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(file, args).catch(() => ({ stdout: '', stderr: '' }));
  return stdout + stderr;
}
