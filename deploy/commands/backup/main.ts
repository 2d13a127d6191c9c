/** `npm run backup -- FILE.tar.gz`: saves a backup of a running service, of either composition. */
import { runCommand, stopOnSignal, UsageError } from '../run-command.js';
import { saveBackup } from './save-backup.js';

process.exitCode = await runCommand({
  usage: `Usage: npm run backup -- FILE.tar.gz [options]

  --url URL            the service (PALIMPSEST_URL, else http://localhost:8001)
  --admin-token TOKEN  its admin token (ADMIN_API_TOKEN)
  --history            all events of the journal, not only the last event of each memory and association`,
  argument: 'file',
  flags: { url: { type: 'string' }, 'admin-token': { type: 'string' }, history: { type: 'boolean', default: false } },
  run: async ({ url, history, ...flags }, file) => {
    const { PALIMPSEST_URL, ADMIN_API_TOKEN } = process.env;
    const adminToken = flags['admin-token'] ?? ADMIN_API_TOKEN;
    if (!adminToken) throw new UsageError('An admin token is needed: set ADMIN_API_TOKEN, or use --admin-token.');
    const service = url ?? (PALIMPSEST_URL || 'http://localhost:8001');
    const { counts, p1 } = await saveBackup({ file, url: service, adminToken, history, signal: stopOnSignal() });
    console.log(
      `${file} holds the state at position ${p1}: ${counts.states + counts.journal} events, ${counts.embeddings} embeddings.`,
    );
    return 0;
  },
});
