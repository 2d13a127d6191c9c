/** `palimpsest backup`: saves a backup of a running service, of either composition. */
import { CommandError, type Define, examples, stopOnSignal } from '../host.js';
import { addAdminToken, addUrl, serviceOf, type ServiceOptions } from '../service-client.js';
import { saveBackup } from './save-backup.js';

type Options = ServiceOptions & { readonly history?: boolean };

export const define: Define = (command, host) =>
  addAdminToken(addUrl(command))
    .argument('<file>', 'the archive, such as palimpsest.tar.gz')
    .option('--history', 'all events of the journal, not only the last event of each memory and association')
    .addHelpText('after', examples('backup palimpsest.tar.gz', 'backup palimpsest.tar.gz --history'))
    .action(async (file: string, { history = false, ...options }: Options) => {
      const { baseUrl, adminToken } = serviceOf(options, host.environment());
      if (!adminToken) throw new CommandError('An admin token is needed: set ADMIN_API_TOKEN, or use --admin-token.');
      const { counts, p1 } = await saveBackup({ file, url: baseUrl, adminToken, history, signal: stopOnSignal() });
      host.print(
        `${file} holds the state at position ${p1}: ${counts.states + counts.journal} events, ${counts.embeddings} embeddings.`,
      );
    });
