/** Reads a file as numbered lines, one at a time, so that a large file needs little memory. */
import { createReadStream } from 'node:fs';

export type Line = {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Offset in the file after this line. */
  readonly endBytes: number;
  /** True when the line is longer than any memory can be; its text is cut off. */
  readonly isTooLong: boolean;
};

/** Longer lines are cut off: no request could carry them. */
export const LINE_LIMIT_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

export async function* readLines(file: string): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let kept = 0;
  let isTooLong = false;
  let number = 0;
  let endBytes = 0;

  const keep = (part: Buffer): void => {
    isTooLong ||= kept + part.length > LINE_LIMIT_BYTES;
    if (!isTooLong) parts.push(part);
    kept += part.length;
  };
  const end = (): Line => {
    number += 1;
    endBytes += kept;
    const text = Buffer.concat(parts).toString('utf8');
    const line = { number, text: number === 1 ? text.replace(/^\uFEFF/u, '') : text, endBytes, isTooLong };
    parts = [];
    kept = 0;
    isTooLong = false;
    return line;
  };

  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, at + 1));
      from = at + 1;
      yield end();
    }
    if (from < chunk.length) keep(Buffer.from(chunk.subarray(from)));
  }
  if (kept > 0) yield end();
}
