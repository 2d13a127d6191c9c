/**
 * The last acknowledged event, in a file next to the data file. A journal that lacks it lost acknowledged events, for
 * example because its write-ahead log was removed. The file is written after the commit and not synced: after a power
 * loss it may be older than the journal, and never newer.
 */
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { EventMark } from '../../../contract/envelope.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPrivateFile } from '../../../kernel/private-files.js';

export interface AcknowledgedFile {
  /** Null for a new file, and for one that was not written whole. */
  read(): EventMark | null;
  /** Never throws: a failure is logged once. */
  write(event: EventMark): void;
  clear(): void;
  close(): void;
}

const OVERWRITE = 'r+';
const POSITION_DIGITS = 16;
const LENGTH = POSITION_DIGITS + 1 + 36;
const LINE = /^(\d{16}) ([\da-f-]{36})$/u;

export function openAcknowledgedFile(file: string, logger: Pick<Logger, 'warn'>): AcknowledgedFile {
  createPrivateFile(file);
  const descriptor = openSync(file, OVERWRITE);
  let hasFailed = false;
  return {
    read: () => {
      const bytes = Buffer.alloc(LENGTH);
      readSync(descriptor, bytes, 0, LENGTH, 0);
      const [, position, eventId] = LINE.exec(bytes.toString('latin1')) ?? [];
      return position === undefined || eventId === undefined ? null : { position: Number(position), eventId };
    },
    write: ({ position, eventId }) => {
      try {
        writeSync(descriptor, `${String(position).padStart(POSITION_DIGITS, '0')} ${eventId}`, 0, 'latin1');
      } catch (err) {
        if (!hasFailed) logger.warn({ err, file }, 'the last acknowledged event was not noted');
        hasFailed = true;
      }
    },
    clear: () => ftruncateSync(descriptor),
    close: () => closeSync(descriptor),
  };
}
