/** Recognizes the format of a file by its content. */
import { isRecord } from '../../../shared/kernel/is-record.js';
import { formOf } from './automem/read-members.js';
import { parsed } from './memory-server/memory-server-source.js';
import { readLines } from './read-lines.js';

export type FileFormat = 'archive' | 'memory-server' | 'lines';

/** Lines that are read to find one in a known format. */
const LINES_LOOKED_AT = 100;

export async function recognizeFile(file: string): Promise<FileFormat> {
  if ((await formOf(file)) !== 'other') return 'archive';
  for await (const { number, text, isTooLong } of readLines(file)) {
    const value = isTooLong ? undefined : parsed(text);
    if (isRecord(value)) return isEntry(value) ? 'memory-server' : 'lines';
    if (number >= LINES_LOOKED_AT) break;
  }
  return 'lines';
}

/** A memory has a content; an entity and a relation have none. */
function isEntry({ type, content }: Readonly<Record<string, unknown>>): boolean {
  return (type === 'entity' || type === 'relation') && content === undefined;
}
