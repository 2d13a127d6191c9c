/** Waiting with a limit: an engine that is too slow counts as one that did not answer. */
import { DeadlineError } from '../errors.js';

/**
 * The outcome of `work`, or DeadlineError when the work takes longer. The work itself goes on; its late outcome is
 * dropped.
 */
export function withinDeadline<T>(
  work: Promise<T>,
  { milliseconds, name }: { readonly milliseconds: number; readonly name: string },
): Promise<T> {
  return raceDeadline(work, {
    milliseconds,
    onDeadline: () => {
      throw new DeadlineError(`${name} did not answer within ${milliseconds} ms: try again`);
    },
  });
}

/**
 * The outcome of `work`, or what `onDeadline` returns or throws when the work takes longer. A late outcome is dropped.
 */
export async function raceDeadline<T, L>(
  work: Promise<T>,
  { milliseconds, onDeadline }: { readonly milliseconds: number; readonly onDeadline: () => L },
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await Promise.race([work, deadline.then(onDeadline)]);
  } finally {
    clearTimeout(timer);
  }
}
