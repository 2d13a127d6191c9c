/** How a message names a command of `palimpsest`, so that its reader can run it. */
import { existsSync } from 'node:fs';

/** The path starts at the compiled file, in `dist/shared/kernel`. */
const ROOT = new URL('../../../', import.meta.url);

/**
 * `palimpsest LINE` between backticks. A package and the image have the binary; in a checkout npx finds it. `root`: the
 * folder of package.json.
 */
export function palimpsestCommand(line: string, root: URL = ROOT): string {
  const isCheckout = existsSync(new URL('tsconfig.json', root)); // it is not published
  return `\`${isCheckout ? 'npx ' : ''}palimpsest ${line}\``;
}
