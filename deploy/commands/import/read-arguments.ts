/** The arguments of `npm run import`, with their defaults from the environment. */
import { parseArgs } from 'node:util';
import { messageOf } from '../../../shared/kernel/errors.js';

export type ImportArguments = Exclude<ReturnType<typeof readArguments>, string>;

export const USAGE = `Usage: npm run import -- FILE [options]

FILE is one of these; its content decides, not its name:
  lines, each the JSON body of POST /memory: {"content": "...", "tags": [...], ...}
  an archive of AutoMem's GET /backup (tar.gz)
  the JSONL file of MCP's memory server ({"type":"entity",...}, {"type":"relation",...})

  --url URL          the service (PALIMPSEST_URL, else http://localhost:8001)
  --token TOKEN      its API token (SERVICE_API_TOKEN, else AUTOMEM_API_TOKEN)
  --admin-token T    its admin token (ADMIN_API_TOKEN); archives and memory server files need it
  --embed-again      leave the vectors of an archive out, even when they have the size of the service's
  --batch-size N     lines in one request, 1 to 500 (200)
  --concurrency N    requests at the same time, 1 to 16 (4)

What the service rejects is reported on stdout and left out. A run that was stopped can be repeated: lines within 24 hours, with the
same file and batch size; archives and memory server files at any time. What is already stored is not stored again.`;

/** A text result is the reason why the arguments are wrong. */
export function readArguments(environment: NodeJS.ProcessEnv) {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        'admin-token': { type: 'string' },
        'embed-again': { type: 'boolean' },
        'batch-size': { type: 'string' },
        concurrency: { type: 'string' },
      },
    });
  } catch (error) {
    return messageOf(error);
  }
  const {
    positionals: [file, ...more],
    values,
  } = parsed;
  if (file === undefined || more.length > 0) return 'Name one file.';
  const batchSize = wholeNumber(values['batch-size'] ?? '200', 500);
  const concurrency = wholeNumber(values.concurrency ?? '4', 16);
  if (batchSize === null || concurrency === null) return '--batch-size must be 1 to 500, --concurrency 1 to 16.';
  const { PALIMPSEST_URL, SERVICE_API_TOKEN, AUTOMEM_API_TOKEN, ADMIN_API_TOKEN } = environment;
  const adminToken = values['admin-token'] ?? (ADMIN_API_TOKEN || null);
  return {
    file,
    batchSize,
    concurrency,
    useVectors: values['embed-again'] !== true,
    ...(adminToken === null ? {} : { adminToken }),
    baseUrl: values.url ?? (PALIMPSEST_URL || 'http://localhost:8001'),
    token: values.token ?? (SERVICE_API_TOKEN || AUTOMEM_API_TOKEN || null),
  };
}

function wholeNumber(text: string, maximum: number): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= maximum ? value : null;
}
