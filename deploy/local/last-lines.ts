/** The end of a log, for a person to read. */
import { readFile } from 'node:fs/promises';

export async function lastLines(log: string, count: number): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
