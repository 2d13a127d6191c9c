/**
 * Writes log lines to a stream that can fail (full disk, dead log collector) or stall. A line that cannot be written is
 * dropped and counted, so that neither the process nor its memory depends on the reader of its log.
 */

/** The part of `process.stderr` that a log uses. */
export type LogStream = {
  write(line: string, onWritten?: (error?: Error | null) => void): unknown;
  /** Bytes that the stream holds because its reader does not take them. */
  readonly writableLength?: number;
  readonly isTTY?: boolean;
};

/** About 5,000 lines. A reader that stalls for longer loses lines. */
export const LOG_BACKLOG_LIMIT_BYTES = 1_000_000;

/** `onRecovered` receives the number of dropped lines as soon as a line is written again. */
export function createLogOutput(stream: LogStream, onRecovered: (dropped: number) => void): (line: string) => void {
  let dropped = 0;
  const onWritten = (error?: Error | null): void => {
    if (error) {
      dropped += 1;
      return;
    }
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    onRecovered(count);
  };
  return (line) => {
    if ((stream.writableLength ?? 0) > LOG_BACKLOG_LIMIT_BYTES) dropped += 1;
    else stream.write(line, onWritten);
  };
}
