/** Finds the tools that the launcher needs on this machine: Java, Maven and Python. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { LaunchError, type Tool } from '../programs/program.js';

const TOOL_NAMES: Readonly<Record<Tool, string>> = {
  java: 'Java 17 or later (java)',
  mvn: 'Maven (mvn)',
  python3: 'Python 3.10 or later (python3)',
};

/** Throws a LaunchError with one line that names all missing tools. */
export async function requireTools(tools: readonly Tool[], path: string): Promise<void> {
  const missing = await Promise.all(tools.map(async (tool) => ((await isThere(tool, path)) ? [] : [TOOL_NAMES[tool]])));
  const names = missing.flat();
  if (names.length > 0)
    throw new LaunchError(
      `Not found on this machine: ${names.join(', ')}. Install ${names.length > 1 ? 'them' : 'it'}, and check that PATH contains the folder`,
    );
}

export function isAccessible(file: string, mode?: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}

/** The file of a program on PATH; null when there is none. */
export async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
    const file = join(folder, name);
    if (await isAccessible(file, constants.X_OK)) return file;
  }
  return null;
}

async function isThere(tool: Tool, path: string): Promise<boolean> {
  if ((await findOnPath(tool, path)) === null) return false;
  if (tool === 'java') return javaVersion(await outputOf('java', ['-version'])) >= 17;
  if (tool === 'python3') return isPythonRecent(await outputOf('python3', ['--version']));
  return true;
}

/** Parses `openjdk version "17.0.15" 2025-04-15`, or `"1.8.0_292"` of older versions. */
export function javaVersion(output: string): number {
  return Number(/version "(?:1\.)?(\d+)/u.exec(output)?.[1] ?? 0);
}

/** Parses `Python 3.11.7`. */
export function isPythonRecent(output: string): boolean {
  const [, major, minor] = /Python (\d+)\.(\d+)/u.exec(output) ?? [];
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 10);
}

async function outputOf(file: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(file, args).catch(() => ({ stdout: '', stderr: '' }));
  return stdout + stderr;
}
