/**
 * The content of the service in the screenshots: the notes of a small team, with associations, a replaced fact and a
 * dead letter.
 */

export type DemoMemory = {
  readonly content: string;
  readonly tags: readonly string[];
  readonly type?: string;
  readonly importance: number;
  readonly timestamp: string;
};

const DAY_MS = 86_400_000;
/** The day before this one is the last of the notes, so that the overview shows how they grew. */
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const LAST_DAY = 40;

const at = (day: number, hour: number): string =>
  new Date(TODAY - (LAST_DAY + 1 - day) * DAY_MS + (hour + 0.25) * 3_600_000).toISOString();

const note = (
  day: number,
  content: string,
  tags: readonly string[],
  importance: number,
  type?: string,
): DemoMemory => ({
  content,
  tags,
  importance,
  timestamp: at(day, 8 + (day % 9)),
  ...(type === undefined ? {} : { type }),
});

/** The enricher reads the time before this memory, and fails there. */
export const POISON_WINDOW = '2025-12-30T23:59:59';

export const MEMORIES: readonly DemoMemory[] = [
  note(3, 'The shop keeps its orders in MySQL 5.7.', ['shop', 'database'], 0.6),
  note(
    12,
    'Decision: the shop moves its orders to PostgreSQL 16, because of JSON columns and logical replication.',
    ['shop', 'database'],
    0.9,
    'Decision',
  ),
  note(14, 'Anna leads the move of the orders database; Ben reviews each migration.', ['shop', 'team'], 0.7),
  note(
    15,
    'The nightly backup of the orders database takes 40 minutes and ends before 03:00 UTC.',
    ['shop', 'database', 'backup'],
    0.6,
  ),
  note(17, 'Anna prefers short pull requests with a test in the same commit.', ['team', 'review'], 0.6, 'Preference'),
  note(
    18,
    'Checkout times out when the payment provider needs more than 8 seconds.',
    ['shop', 'payments', 'incident'],
    0.8,
    'Insight',
  ),
  note(
    19,
    'Retries of payments carry an idempotency key, so that no customer pays twice.',
    ['shop', 'payments'],
    0.9,
    'Pattern',
  ),
  note(
    20,
    'Ben restarts the search service on Mondays before the import of the catalogue.',
    ['search', 'team'],
    0.4,
    'Habit',
  ),
  note(22, 'Customers in Norway pay with Vipps: 30 % of the orders of January.', ['shop', 'payments', 'norway'], 0.5),
  note(24, 'Deployments run on Tuesdays at 10:00 UTC from the main branch.', ['release'], 0.7),
  note(26, 'Every log line is in UTC, and every time in an API is ISO 8601.', ['style'], 0.8, 'Style'),
  note(
    28,
    'The staging cluster has 3 nodes with 16 GiB each; PostgreSQL takes half of one.',
    ['infra', 'database'],
    0.4,
  ),
  note(
    33,
    'The move to PostgreSQL ended without lost orders; MySQL is switched off on 1 March.',
    ['shop', 'database', 'release'],
    0.9,
    'Insight',
  ),
  note(
    36,
    'A slow query on orders was fixed by an index on customer and day.',
    ['shop', 'database', 'performance'],
    0.7,
    'Insight',
  ),
  note(38, 'Clara joins the team in Oslo and takes over the payment provider.', ['team', 'payments'], 0.6),
  note(40, 'Release 4.2 ships the new checkout to 10 % of the customers.', ['release', 'shop'], 0.7),
];

/** Positions in the list above. */
export const ASSOCIATIONS: readonly { readonly from: number; readonly to: number; readonly type: string }[] = [
  { from: 0, to: 1, type: 'INVALIDATED_BY' },
  { from: 1, to: 12, type: 'LEADS_TO' },
  { from: 2, to: 1, type: 'PART_OF' },
  { from: 5, to: 6, type: 'LEADS_TO' },
  { from: 13, to: 12, type: 'RELATES_TO' },
  { from: 3, to: 1, type: 'RELATES_TO' },
];

export const POISON: DemoMemory = {
  content: 'The old ticket system closes at the end of the year.',
  tags: ['infra'],
  importance: 0.3,
  timestamp: '2025-12-31T00:00:00Z',
};
