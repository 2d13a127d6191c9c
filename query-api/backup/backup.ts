/** GET /backup: streams the archive of the deployment. The speed of the client bounds what is read ahead. */
import type { Handler, ReplySink } from '../../shared/http/handler.js';
import { archiveEntries, type ArchiveRequest } from '../../shared/integrity/backup-format/archive-entries.js';
import type { ArchiveSource } from '../../shared/integrity/backup-format/archive-source.js';
import { packArchive } from '../../shared/integrity/backup-format/pack-archive.js';
import type { Clock } from '../../shared/kernel/clock.js';
import { aborted } from '../../shared/kernel/concurrency/abort-signals.js';
import { DeadlineError } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/logger.js';

/** The connection of a client that reads nothing for this time is closed. */
const STALL_MS = 300_000;
/** A backup reads the databases as fast as the client takes it, so few may run at the same time. */
const BACKUPS_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 60;

type Dependencies = {
  readonly source: ArchiveSource;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
};

export function createBackup({ source, version, clock, logger }: Dependencies): Handler<'backup'> {
  let running = 0;
  return async ({ query, context: { actor, requestId, signal } }) => {
    if (running >= BACKUPS_AT_ONCE)
      throw new DeadlineError(`${running} backups already run at this process: try again later`, RETRY_AFTER_SECONDS);
    running += 1;
    // Every request ends with this signal, also one that failed or that asks for the headers alone.
    void aborted(signal).then(() => (running -= 1));
    const request = requestOf(query);
    // Before the headers are sent, so that an unreachable journal is 503.
    await source.journal.head();
    logger.info({ requestId, admin: actor.name, ...request }, 'backup requested');
    return {
      status: 200,
      headers: {
        'content-type': 'application/gzip',
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${fileName(clock.now())}"`,
        'x-accel-buffering': 'no',
      },
      cutOnFailure: true,
      stream: async (sink) => {
        const bytes = await send(packArchive(archiveEntries({ source, request, service: version, clock })), sink);
        logger.info({ requestId, admin: actor.name, bytes }, 'backup sent');
      },
    };
  };
}

function requestOf({
  include = 'falkordb,qdrant',
  history = false,
}: {
  readonly include?: string;
  readonly history?: boolean;
}): ArchiveRequest {
  const parts = include.split(',').map((part) => part.trim());
  return { states: parts.includes('falkordb'), embeddings: parts.includes('qdrant'), history };
}

/** Returns the number of bytes. Throws when the client does not get the whole archive. */
async function send(chunks: AsyncIterable<Uint8Array>, sink: ReplySink): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    if (sink.stopping.aborted) throw new Error('The backup ended early, because the service stops');
    const outcome = await sink.write(chunk, STALL_MS);
    if (outcome === 'gone') throw new Error('The client closed the connection before the end of its backup');
    if (outcome === 'stalled') throw new Error(`The client read nothing of its backup for ${STALL_MS} ms`);
    bytes += chunk.byteLength;
  }
  return bytes;
}

/** `palimpsest-backup-20260102_030405.tar.gz`, in UTC. */
function fileName(now: Date): string {
  const [date = '', time = ''] = now.toISOString().split('T');
  return `palimpsest-backup-${date.replaceAll('-', '')}_${time.slice(0, 8).replaceAll(':', '')}.tar.gz`;
}
