/** `palimpsest verify`: compares journal, graph and vector index. */
import { compareStores, type StoreComparison } from '../../../shared/integrity/comparison/compare-stores.js';
import { type Difference, type DifferenceKind, DIFFERENCES } from '../../../shared/integrity/comparison/differences.js';
import { type Define, examples, numberIn, withStores } from '../host.js';
import { openDistributed, openEmbedded } from './open-stores.js';

const LONGEST_WAIT_SECONDS = 3_600;
/** Subjects of a kind that are printed without `--all`. */
const SAMPLE = 10;

type Options = {
  readonly distributed?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly wait: number;
};

export const define: Define = (command, host) =>
  command
    .description(
      'Compare the journal, the graph and the vector index, also while the service runs. Exit code 0 without a difference, 1 with differences, 2 when it could not compare. Without --distributed it reads the data file in PALIMPSEST_DATA_DIR.',
    )
    .option(
      '--distributed',
      'Postgres (POSTGRES_*), Neo4j (NEO4J_*) and Qdrant (QDRANT_*), with the variables of the query API',
    )
    .option(
      '--wait <seconds>',
      'how long a difference may last that comes from a write under way',
      numberIn(0, LONGEST_WAIT_SECONDS),
      30,
    )
    .option('--all', 'print all subjects, not only the first ten of each kind')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', examples('verify', 'verify --distributed --wait 60 --json'))
    .action(({ distributed, all = false, json, wait }: Options) => {
      host.exitCode = 2; // not compared, until the comparison has ended
      return withStores(host, async (context) => {
        const stores = await (distributed ? openDistributed : openEmbedded)(context);
        const result = await compareStores(stores, { settleMs: wait * 1_000, signal: context.signal });
        host.print(json ? JSON.stringify(result) : reportLines(result, { all }).join('\n'));
        host.exitCode = result.differences.length === 0 ? 0 : 1;
      });
    });

/** `all`: every subject instead of the first ones. */
function reportLines(
  { subjects, points, differences, known, isCut }: StoreComparison,
  { all }: { readonly all: boolean },
): readonly string[] {
  const compared = `${whole(subjects)} subjects of the journal and ${whole(points)} points of the index compared`;
  return [
    ...kindLines(differences, all),
    ...kindLines(known, all).map((line) => `known to the service: ${line}`),
    ...(isCut ? ['The comparison ended early: there are more differences than it keeps'] : []),
    differences.length === 0 ? `${compared}: no difference` : `${compared}: ${whole(differences.length)} differences`,
  ];
}

function kindLines(differences: readonly Difference[], all: boolean): readonly string[] {
  return (Object.keys(DIFFERENCES) as DifferenceKind[]).flatMap((kind) => {
    const subjects = differences.filter((difference) => difference.kind === kind).map(({ subject }) => subject);
    if (subjects.length === 0) return [];
    const shown = all ? subjects : subjects.slice(0, SAMPLE);
    const rest = subjects.length > shown.length ? ', ...' : '';
    return [`${kind} (${DIFFERENCES[kind]}): ${whole(subjects.length)}: ${shown.join(', ')}${rest}`];
  });
}

function whole(number: number): string {
  return number.toLocaleString('en-US');
}
