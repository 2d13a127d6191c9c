/** `palimpsest export`: writes memories in the form that `palimpsest import` reads. */
import { writeFile } from 'node:fs/promises';
import { SNAPSHOT_LIMIT } from '../../../shared/contract/graph-views/whole-graph.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { PRIVATE_FILE } from '../../../shared/kernel/private-files.js';
import { CommandError, type Define, examples, numberIn } from '../host.js';
import { addToken, addUrl, callService, given, type ServiceOptions } from '../service-client.js';

type Options = ServiceOptions & {
  readonly type?: string;
  readonly since?: string;
  readonly minImportance?: number;
};

/** 50,000 memories are over 100 MB. */
const TIMEOUT_MS = 300_000;

export const define: Define = (command, host) =>
  addToken(addUrl(command))
    .description(
      'Write the most important memories, up to 50,000, as JSON lines that `palimpsest import` reads. Associations, versions and vectors are in a backup alone.',
    )
    .argument('[file]', 'default: the standard output')
    .option('--type <types>', 'only these types, separated by commas')
    .option('--since <time>', 'only memories from this time on, ISO 8601')
    .option('--min-importance <number>', '0 to 1', numberIn(0, 1))
    .addHelpText(
      'after',
      examples('export memories.jsonl', 'export --type Decision --since 2026-01-01 | grep postgres'),
    )
    .action(async (file: string | undefined, options: Options) => {
      const { type, since, minImportance: min_importance } = options;
      const query = { limit: 0, ...given({ types: type?.split(','), since, min_importance }) };
      const { nodes, stats } = await callService('snapshotGraph', { query }, { host, options, timeoutMs: TIMEOUT_MS });
      const lines = nodes.map(({ id, content, type, importance, confidence, tags, timestamp, metadata }) =>
        JSON.stringify({ id, content, type, importance, confidence, tags, timestamp, metadata }),
      );
      if (file === undefined) lines.forEach((line) => host.print(line));
      else await save(file, lines);
      const rest = lines.length < SNAPSHOT_LIMIT ? '' : `; \`palimpsest backup\` has all ${stats.total_nodes}`;
      host.printError(`${lines.length} memories written${rest}.`);
    });

async function save(file: string, lines: readonly string[]): Promise<void> {
  try {
    await writeFile(file, lines.map((line) => `${line}\n`).join(''), { mode: PRIVATE_FILE });
  } catch (error) {
    throw new CommandError(`The file cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
