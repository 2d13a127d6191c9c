/** The version of Palimpsest that runs, as its package says. */
import { readFileSync } from 'node:fs';

export function programVersion(): string {
  // The compiled file stands in `dist/shared/kernel`.
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
