/**
 * How a text of any length fits an encoder that reads 128 word pieces and ignores the rest: it is cut into windows of about equal
 * length, and the mean of their vectors stands for the whole.
 */

/** About 110 word pieces of English prose: below the 128 that the encoder reads. */
export const WINDOW_CHARACTERS = 500;
/** What lies behind the fourth window is not read: it would cost 0.1 s a window and blur the mean. */
export const WINDOW_LIMIT = 4;
/** A cut moves back at most this far to fall between two words. */
const CUT_SLACK_CHARACTERS = 60;

/** One to `WINDOW_LIMIT` pieces, none empty: the encoder fails on an empty one. */
export function windowsOf(text: string): readonly string[] {
  const bounded = text.trim().slice(0, WINDOW_CHARACTERS * WINDOW_LIMIT);
  if (bounded === '') return [' '];
  const count = Math.ceil(bounded.length / WINDOW_CHARACTERS);
  const windows: string[] = [];
  let start = 0;
  for (let left = count; left > 0 && start < bounded.length; left -= 1) {
    const end = left === 1 ? bounded.length : cutBefore(bounded, start + Math.ceil((bounded.length - start) / left));
    windows.push(bounded.slice(start, end).trim() || ' ');
    start = end;
  }
  return windows;
}

function cutBefore(text: string, end: number): number {
  const space = text.lastIndexOf(' ', end);
  return space > end - CUT_SLACK_CHARACTERS ? space : end;
}

/** The mean of the windows' vectors, at unit length. */
export function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) vector.forEach((component, index) => (sum[index] = (sum[index] ?? 0) + component));
  const norm = Math.hypot(...sum);
  return Float32Array.from(sum, (component) => component / norm);
}
