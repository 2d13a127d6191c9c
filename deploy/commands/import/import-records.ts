/** Recognizes a file, and imports one whose records keep their ids. */
import type { Client } from '../../../shared/client/client.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { openAutomemArchive } from './automem/automem-source.js';
import { formOf } from './automem/read-members.js';
import { openMemoryServerFile, parsed } from './memory-server-source.js';
import { readLines } from './read-lines.js';
import { ImportStopped, type LeftOut, type RecordSource, sendRecords, type Sent, sum } from './send-records.js';

export type RecordsOptions = {
  readonly file: string;
  readonly format: 'archive' | 'memory-server';
  readonly client: Client;
  readonly batchSize: number;
  readonly concurrency: number;
  /** False: the memories of an archive are embedded again, even when its vectors have the size of the service. */
  readonly useVectors: boolean;
  readonly onLeftOut: (record: LeftOut) => void;
  readonly onProgress: (progress: { readonly sent: number; readonly of: number }) => void;
};

export type RecordsSummary = {
  readonly found: string;
  readonly notes: readonly string[];
  readonly memories: Sent;
  readonly associations: Sent;
  /** Of memories, associations and those that the check left out. */
  readonly leftOut: number;
};

/** Throws ArchiveError before anything is sent, ImportStopped when the service stops answering. */
export async function importRecords(options: RecordsOptions): Promise<RecordsSummary> {
  const source = await openSource(options);
  try {
    let sent = 0;
    const onProgress = (records: number): void => options.onProgress({ sent: (sent += records), of: source.records });
    const memories = await sendRecords(source.memories(), { ...options, onProgress, part: 'memories' });
    const associations = await sendRecords(source.associations(), { ...options, onProgress, part: 'associations' });
    const { found, notes } = source;
    return { found, notes, memories, associations, leftOut: sum(memories, associations).leftOut + source.leftOut };
  } finally {
    await source.close();
  }
}

async function openSource({ file, format, client, useVectors }: RecordsOptions): Promise<RecordSource> {
  if (format === 'memory-server') return openMemoryServerFile(file);
  return openAutomemArchive(file, useVectors ? await vectorSize(client) : null);
}

/** Null while the service does not know the size of its vectors: then it embeds again. */
async function vectorSize(client: Client): Promise<number | null> {
  const answer = await client.call('health', {});
  if (answer.kind !== 'answered') throw new ImportStopped(answer.message);
  const dimensions = isRecord(answer.body) ? answer.body['vector_dimensions'] : null;
  const size = isRecord(dimensions) ? dimensions['effective'] : null;
  return typeof size === 'number' && size > 0 ? size : null;
}

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
