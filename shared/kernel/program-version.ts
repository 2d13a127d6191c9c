/** The version of the running Palimpsest, read from its package.json. */
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  // The path starts at the compiled file, in `dist/shared/kernel`.
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
