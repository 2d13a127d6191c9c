/** Waiting with a limit: a store that is slow is treated as one that did not answer. */
import { DeadlineError } from './errors.js';

/** The work's own outcome, or DeadlineError when it takes longer. The work itself goes on; its late outcome is dropped. */
export async function withinDeadline<T>(
  work: Promise<T>,
  { milliseconds, name }: { milliseconds: number; name: string },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DeadlineError(`${name} did not answer within ${milliseconds} ms: try again`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
