/** `npm run backup -- FILE.tar.gz [--url URL] [--history]`: saves a backup of a running service, of either composition. */
import { parseArgs } from 'node:util';
import { messageOf } from '../../../shared/kernel/errors.js';
import { stopOnSignal } from '../../../shared/kernel/stop-on-signal.js';
import { BackupFailed, saveBackup } from './save-backup.js';

const USAGE = `Usage: npm run backup -- FILE.tar.gz [options]

  --url URL            the service (PALIMPSEST_URL, else http://localhost:8001)
  --admin-token TOKEN  its admin token (ADMIN_API_TOKEN)
  --history            all events of the journal, not only the last event of each memory and association`;

process.exitCode = await main(stopOnSignal());

async function main(signal: AbortSignal): Promise<number> {
  const options = readArguments();
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return 1;
  }
  try {
    const { counts, p1 } = await saveBackup({ ...options, signal });
    console.log(
      `${options.file} holds the state at position ${p1}: ${counts.states + counts.journal} events, ${counts.embeddings} embeddings.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BackupFailed)) throw error;
    console.error(error.message);
    return 1;
  }
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        'admin-token': { type: 'string' },
        history: { type: 'boolean', default: false },
      },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return 'Name one file.';
    const { PALIMPSEST_URL, ADMIN_API_TOKEN } = process.env;
    const adminToken = values['admin-token'] ?? ADMIN_API_TOKEN;
    if (!adminToken) return 'An admin token is needed: set ADMIN_API_TOKEN, or use --admin-token.';
    return {
      file,
      adminToken,
      url: values.url ?? (PALIMPSEST_URL || 'http://localhost:8001'),
      history: values.history,
    };
  } catch (error) {
    return messageOf(error);
  }
}
