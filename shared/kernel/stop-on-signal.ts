/** The abort signal of a command that ends by itself, such as `npm run restore`. A second SIGTERM or SIGINT ends the process at once. */
import { PalimpsestError } from './errors.js';

/** Aborted by SIGTERM or SIGINT, with a StoppedError. `advice`: what the caller does next. */
export function stopOnSignal({ advice }: { readonly advice?: string } = {}): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.once(name, () =>
      stopped.abort(new StoppedError(`Stopped by ${name} before the end${advice === undefined ? '' : `: ${advice}`}`)),
    );
  return stopped.signal;
}

class StoppedError extends PalimpsestError {
  readonly code = 'stopped';
  readonly isRetryable = false;
}
