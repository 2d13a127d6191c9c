/**
 * Half a year of the notes of a fictional product team, made from a seed: decisions, bugs, people, preferences,
 * meetings and deployments, with associations of every authorable type, facts in several layers, contradictions,
 * right-to-left and long texts, and edits by several callers.
 */
import type { AssociationType } from '../../shared/contract/association.js';
import type { MemoryType } from '../../shared/contract/memory.js';
import { seededRandom } from '../support/fixtures/random.js';

export type DemoMemory = {
  readonly content: string;
  readonly type: MemoryType;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly timestamp: string;
};

/** `from` and `to` are names of memories. */
export type DemoAssociation = {
  readonly from: string;
  readonly to: string;
  readonly type: AssociationType;
  readonly strength: number;
};

/** A change of the memory `of` by the holder of the key `by`. */
export type DemoEdit = { readonly of: string; readonly by: Caller; readonly change: Partial<DemoMemory> };

export type Demo = {
  /** By their names, for example `checkout move done`. */
  readonly memories: ReadonlyMap<string, DemoMemory>;
  readonly associations: readonly DemoAssociation[];
  readonly edits: readonly DemoEdit[];
};

/** The holders of keys that edit memories. */
export const CALLERS = ['anna', 'planning-agent', 'support-agent', 'release-bot'] as const;
export type Caller = (typeof CALLERS)[number];

const DAY_MS = 86_400_000;
const DAYS = 182;

const IMPORTANCE: Readonly<Record<string, number>> = {
  Decision: 0.85,
  Pattern: 0.8,
  Insight: 0.7,
  Style: 0.65,
  Preference: 0.6,
  Habit: 0.5,
  Context: 0.45,
};

/** name | what the person does | city | preferred | not preferred */
const PEOPLE = table(`
Anna Berg | leads the team | Oslo | short pull requests | one large branch
Ben Okafor | maintains the databases | Lagos | plain SQL | an object mapper
Clara Nilsen | owns the contract with the payment provider | Bergen | written decisions | a call
Daniel Weiss | runs the clusters | Berlin | small machines | a few large ones
Emeka Obi | tests on real phones | Accra | a test on a slow phone | a test in the simulator
Farida Haddad | answers the customers in Arabic and French | Beirut | the chat | a ticket form
Greta Lindqvist | designs the shop | Uppsala | a paper sketch | a finished mock-up
Hiro Tanaka | tunes the search | Osaka | an evaluation of 500 queries | a quick look at ten queries
Ines Duarte | plans the deliveries | Porto | a weekly plan | a plan for each day
Jonas Vik | writes the app | Tromsø | the dialogs of the phone | dialogs of our own
Kavya Rao | reports the numbers | Pune | the median | the average
Noa Levi | translates the shop into Hebrew | Haifa | whole sentences | single words without context
`);

/** part | what it keeps | old place | new place | reason | a setting | its unit | its values */
const PARTS = table(`
checkout | orders | MySQL 5.7 | PostgreSQL 16 | JSON columns and logical replication | time limit of a payment | seconds | 5 8 12 20
payments | receipts | a shared folder | object storage | versions and a retention rule | number of retries | attempts | 1 3 5 4
search | word lists | Solr | OpenSearch | the analyzers for Norwegian | share of vector matches | percent | 20 35 50 45
catalogue | product texts | XML files | a headless CMS | drafts and previews | size of an import | products | 500 2000 5000 9000
warehouse | stock counts | a nightly file | Kafka | counts that are at most a minute old | reserve for each product | pieces | 10 6 4 3
mail | templates | the code | a repository of their own | changes without a deployment | pause between two mails | hours | 24 48 72 36
accounts | sessions | Memcached | Redis | sessions that survive a restart | length of a session | days | 7 14 30 21
app | settings | files on the phone | the account of the user | the same settings on each phone | size of the first download | kilobytes | 900 640 480 410
reports | daily numbers | a spreadsheet | ClickHouse | questions over two years in seconds | age of a report | minutes | 1440 240 60 15
recommendations | profiles | a nightly batch | a feature store | purchases of the last minute | length of a list | products | 20 12 8 6
prices | price rules | stored procedures | a rule engine | tests for each rule | delay of a new price | minutes | 60 30 10 2
returns | labels | a printer in Porto | a PDF in the mail | customers who print at home | time to return a product | days | 14 30 60 45
`);

/** one symptom | another one | cause | fix | rule */
const BUGS = table(`
{Part} needs nine seconds on Monday mornings. | Every tenth request to {part} takes three seconds longer. | The pool of {part} has 5 connections for 40 threads. | The pool of {part} has 30 connections, and its wait is a metric. | Each pool has a metric for the time that a request waits for it.
Two customers saw the basket of a stranger in {part}. | {Part} shows the name of another customer after a login. | A proxy in front of {part} cached an answer without its cookie. | {Part} sends Cache-Control: private with each answer that has a name in it. | No proxy caches answers with personal data.
Some customers paid twice in {part} during the outage. | {Part} sent the same letter three times to a customer in Ghent. | A retry in {part} repeats the call without an idempotency key. | Each call of {part} carries an idempotency key for 24 hours. | A call that changes something has an idempotency key before it has a retry.
{Part} loses the last letter of names with an accent. | Addresses in Łódź are cut off in {part}. | A column of {part} counts bytes, not characters. | The column of {part} holds 200 characters of four bytes each. | Lengths are checked in characters; tests use Polish and Japanese names.
{Part} has been an hour behind since Sunday. | The night job of {part} ran twice. | The schedule of {part} is in local time, and the clocks changed. | The schedule of {part} is in UTC. | Each schedule is in UTC.
{Part} answers with 502 for two minutes in each deployment. | Users of {part} are logged out on Tuesdays at ten. | The old process of {part} ends before the new one is ready. | {Part} waits for its readiness check and finishes open requests. | A process leaves the balancer before it stops.
The disk of {part} was full on Saturday night. | {Part} stopped without a line in its log. | The debug log of {part} was on, and no rule removed old files. | The log of {part} goes to standard output, at level info. | Each volume has an alert at 70 percent.
{Part} is slow for the 50 largest customers. | A page of {part} with 400 rows takes 20 seconds. | {Part} asks the database once for each row. | {Part} reads the rows of a page in one query. | A test counts the queries of each page.
{Part} does not find products with a hyphen. | {Part} treats “t-shirt” and “tshirt” as different. | The tokenizer of {part} splits at the hyphen, the query does not. | {Part} uses the same analyzer for documents and queries. | Index and query share one analyzer.
The memory of {part} grows by a gigabyte each day. | {Part} restarts every night at about four. | A cache in {part} has no limit. | The cache of {part} has 10,000 entries; the oldest leave first. | Each cache has a limit and a hit rate on the dashboard.
{Part} says “sold out” for shoes that are on the shelf. | The numbers of {part} differ from the shelf by four. | A message to {part} arrived before the one it depends on. | Messages of one product go to one partition of {part}. | Dependent messages have the same partition key.
Customers with a screen reader cannot use {part} at all. | The last button of {part} has no name. | An icon in {part} is a button without a text. | Each icon of {part} has a label, and axe-core runs in the tests. | A view is done when it works with the keyboard alone.
`);

const TOPICS = table(`
the summer sale | the second warehouse in Gdańsk | the audit of the payment data | prices in Swiss francs | the new navigation | the budget of the clusters | on-call in the holidays | the contract for maps | gift cards | the app for staff in shops | the delivery promise of two days | the end of the old ticket system | the goals of the coming year
`).flat();

const POINTS = table(`
{Topic}: no change until the numbers of four weeks are known. | {Host} writes the page about {topic} in the handbook. | {Guest} becomes the second person on call for {topic}. | Support collects ten questions about {topic}. | The team sees the cost of {topic} once a month. | {Topic}: postponed to the next quarter. | {Topic}: a test with five customers, before the end of the month. | A short note explains {topic} to the shops.
`).flat();

/** Customers in their own words: text | tag of the language | part */
const VOICES = table(`
الزبونة في بيروت تريد الدفع عند الاستلام، لأن بطاقتها لا تعمل في المتجر. | ar | payments
طلب الزبون رقم 4711 وصل متأخراً ثلاثة أيام، ونريد أن نرسل له قسيمة بقيمة 10 €. | ar | warehouse
הלקוחה מחיפה מבקשת לראות את המידות לפי התקן הישראלי. | he | catalogue
הכפתור „שלם" (checkout v4.2) מופיע בצד הלא נכון של המסך. | he | checkout
お客様は検索で「雨具」と「レインウェア」を同じものとして探しています。 | ja | search
Kunden i Tromsø får pakken først etter ni dager når det blåser. | nb | warehouse
`);

/** name | day | type | tags | content | associations: type and name, with `;` between them */
const OF_PERSON = `
role | 0 | Context | | {name} {role} and works from {city}. |
likes | 9 | Preference | | {name} prefers {good} to {bad}. | PREFERS_OVER tried
tried | 2 | Context | | {first} tried {bad} for a month and returned to {good}. | DERIVED_FROM role
habit | 20 | Habit | | {first} {reads the alerts of the week/deletes old branches/answers open questions} {on Mondays before nine/after lunch/on Friday afternoons}. | RELATES_TO role`;

const OF_PART = `
move old | -4 | Context | | The {part} service keeps its {what} in {old}. | INVALIDATED_BY move done
move decision | 6 | Decision | architecture | Decision: the {what} of {part} move from {old} to {next}, because of {why}. | LEADS_TO move done
move plan | 9 | Context | plan | {lead} leads the move of the {what} to {next}; it has three steps, and each can be undone. | PART_OF move decision
move doubt | 12 | Insight | | {other} doubts that {next} is worth its price for {what} alone. | CONTRADICTS move decision
move done | 40 | Insight | release | The move of the {what} to {next} ended without loss; nothing reads from {old} any more. |
claim | 30 | Insight | numbers | {lead} says that the page of {part} is fast enough: {ms} ms at the median. | CONTRADICTS measured
measured | 33 | Insight | numbers | Kavya Rao measured the page of {part} on old phones: {slowMs} ms, and {share} percent of the users leave. |
survey | 47 | Insight | numbers,feedback | In a survey, {more} percent of the customers call the page of {part} slow. | REINFORCES measured
idea | 55 | Insight | idea | {other} proposes to load {what} in the background, so that the page of {part} opens first. | DERIVED_FROM survey
trial | 68 | Context | idea,numbers | The trial with {what} in the background ran for {one week/ten days/three weeks}: {gain} percent fewer users leave {part}. | OCCURRED_BEFORE outcome; RELATES_TO idea
outcome | 76 | Decision | idea | Decision: all pages of {part} load {what} in the background. | DERIVED_FROM trial
setting 0 | 0 | Context | setting | The {setting} in {part} is {v0} {unit}. | INVALIDATED_BY setting 1
setting 1 | 21 | Decision | setting | The {setting} in {part} is {v1} {unit}; {v0} led to complaints. | EVOLVED_INTO setting 2
setting 2 | 42 | Decision | setting | The {setting} in {part} is {v2} {unit}, as {other} proposed after a test with {v1}. | INVALIDATED_BY setting 3
setting 3 | 63 | Decision | setting | The {setting} in {part} is {v3} {unit}, because {v2} cost {too much/two customers/a weekend}. |`;

const OF_BUG = `
seen | 0 | Context | bug | {ticket}: {symptom} {first} reported it. |
cause | 1 | Insight | bug | {cause} That explains {ticket}. | LEADS_TO seen
fix | 3 | Context | bug | {fix} ({ticket}) | DERIVED_FROM cause`;

const OF_MEETING = `
meeting | 0 | Context | | Meeting about {topic}: {host} shows the numbers, {guest} asks for a plan. |
point 0 | 0 | Decision | point | {p0} | PART_OF meeting
point 1 | 0 | Context | point | {p1} | PART_OF meeting; RELATES_TO point 0
point 2 | 0 | Context | point | {p2} | PART_OF meeting`;

const OF_RELEASE = `
release | 5 | Context | | Release {version} ships a change of {part} to {5/10/25/50} % of the customers. |
deployment | 6 | Context | deployment | The deployment of {version} took {minutes} minutes; {no request failed/a migration waited for a lock/one alert fired and ended by itself}. | PART_OF release`;

const OF_ALL = `
utc | 8 | Style | | Each log line is in UTC, and each time in an API is ISO 8601. |
words | 11 | Style | | Texts for customers have short sentences and no exclamation marks. | RELATES_TO utc`;

/** The same seed and the same day give the same notes. `today`: the day after the last note, in milliseconds. */
export function demo(seed = 1, today = Math.floor(Date.now() / DAY_MS) * DAY_MS): Demo {
  const random = seededRandom(seed);
  const memories = new Map<string, DemoMemory>();
  const associations: DemoAssociation[] = [];
  const edits: DemoEdit[] = [];

  const between = (low: number, high: number): number => Math.round((low + random.next() * (high - low)) * 100) / 100;
  const person = (): string => random.pick(PEOPLE)[0] ?? '';
  const link = (from: string, type: AssociationType, to: string): void => {
    associations.push({ from, to, type, strength: between(0.4, 0.98) });
  };

  /** `{name}` is a value, `{Name}` the same with a capital letter, `{one/two}` one of them. */
  function write(template: string, values: Readonly<Record<string, string>>): string {
    return template.replaceAll(/\{([^{}]+)\}/gu, (_, inner: string) => {
      if (inner.includes('/')) return random.pick(inner.split('/'));
      return values[inner] ?? capital(values[inner.toLowerCase()] ?? '');
    });
  }
  function note(name: string, day: number, given: Pick<DemoMemory, 'content' | 'type' | 'tags'>): void {
    const at = today - (DAYS - Math.min(day, DAYS - 1)) * DAY_MS + between(7, 18) * 3_600_000;
    const importance = Math.round(((IMPORTANCE[given.type] ?? 0) + between(-0.15, 0.15)) * 100) / 100;
    memories.set(name, { ...given, importance, timestamp: new Date(at).toISOString() });
  }
  /** The notes of a table, with `prefix` before their names. */
  function noteAll(
    rows: string,
    { prefix, start, tags, ...values }: { prefix: string; start: number; tags: string[]; [value: string]: unknown },
  ): void {
    for (const [name, day, type, more = '', content = '', others = ''] of table(rows)) {
      note(`${prefix} ${name}`, start + Number(day), {
        content: write(content, values as Record<string, string>),
        type: type as MemoryType,
        tags: [...tags, ...more.split(',').filter(Boolean)],
      });
      for (const other of others.split(';').filter((each) => each.trim() !== '')) {
        const [kind = '', ...target] = other.trim().split(' ');
        link(`${prefix} ${name}`, kind as AssociationType, `${prefix} ${target.join(' ')}`);
      }
    }
  }

  for (const [name = '', role, city, good, bad] of PEOPLE) {
    const [first = ''] = name.split(' ');
    const tags = ['team', `person:${first.toLowerCase()}`];
    noteAll(OF_PERSON, { prefix: name, start: random.below(60), tags, name, first, role, city, good, bad });
  }
  for (const [index, [part = '', what, old, next, why, setting, unit, values = '']] of PARTS.entries()) {
    const [v0, v1, v2, v3] = values.split(' ');
    const [ms, share] = [30 + random.below(60), 2 + random.below(20)];
    const people = { lead: person(), other: person() };
    const numbers = { ms, slowMs: ms * 14, share, more: share + 3, gain: Math.ceil(share / 2), v0, v1, v2, v3 };
    const start = 4 + index * 9;
    const tags = ['shop', part];
    noteAll(OF_PART, { prefix: part, start, tags, part, what, old, next, why, setting, unit, ...people, ...numbers });
    edits.push({
      of: `${part} move done`,
      by: 'release-bot',
      change: { tags: [...tags, 'release', `sprint:${index}`] },
    });
    edits.push({ of: `${part} measured`, by: 'anna', change: { importance: 0.9 } });
    for (const turn of [0, 1]) {
      const bug = BUGS[(index + turn * 5) % BUGS.length] ?? [];
      const [symptom, cause, fix] = [bug[turn], bug[2], bug[3]].map((text = '') =>
        write(text, { part: `the ${part} service` }),
      );
      const ticket = `BUG-${1200 + index * 37 + turn * 411}`;
      const [first] = person().split(' ');
      const prefix = `${part} bug ${turn}`;
      noteAll(OF_BUG, { prefix, start: start + 15 + turn * 45, tags, part, symptom, cause, fix, ticket, first });
      const rule = `Rule: ${bug[4]}`;
      if (!memories.has(rule)) note(rule, start + 20 + turn * 45, { content: rule, type: 'Pattern', tags: ['rule'] });
      link(`${prefix} fix`, 'EXEMPLIFIES', rule);
      edits.push({ of: `${prefix} seen`, by: 'support-agent', change: { importance: between(0.1, 0.4) } });
    }
  }
  for (const [index, topic] of TOPICS.entries()) {
    const host = person();
    const values = { topic, host, guest: random.pick(PEOPLE.filter(([name]) => name !== host))[0] ?? '' };
    const [p0, p1, p2] = [0, 1, 2].map((turn) => write(POINTS[(index * 3 + turn) % POINTS.length] ?? '', values));
    const prefix = `week ${index * 2}`;
    noteAll(OF_MEETING, { prefix, start: index * 14 + 2, tags: ['meeting'], ...values, p0, p1, p2 });
    if (index > 0) link(`week ${index * 2 - 2} meeting`, 'OCCURRED_BEFORE', `${prefix} meeting`);
    const quarter = index < 7 ? 'first' : 'second';
    edits.push({ of: `${prefix} meeting`, by: 'planning-agent', change: { tags: ['meeting', `quarter:${quarter}`] } });
    if (index % 4 !== 3) continue;
    const lines = TOPICS.map((other) => write(random.pick(POINTS), { ...values, topic: other }));
    const content = `Report by ${values.host} after the meeting about ${topic}. ${lines.join(' ')}`;
    note(`${prefix} report`, index * 14 + 3, { content, type: 'Context', tags: ['meeting', 'report'] });
    link(`${prefix} report`, 'DERIVED_FROM', `${prefix} meeting`);
  }
  for (let week = 0; week < DAYS / 7; week += 1) {
    const [part = ''] = random.pick(PARTS);
    const values = { version: `4.${week}`, part, minutes: 4 + random.below(30) };
    noteAll(OF_RELEASE, { prefix: `release ${week}`, start: week * 7, tags: ['release', part], ...values });
    if (week > 0) link(`release ${week - 1} release`, 'OCCURRED_BEFORE', `release ${week} release`);
  }
  for (const [index, [content = '', language, part = '']] of VOICES.entries())
    note(`voice ${index}`, 20 + index * 27, { content, type: 'Context', tags: ['feedback', `lang:${language}`, part] });
  noteAll(OF_ALL, { prefix: 'style', start: 0, tags: ['style'] });
  return { memories, associations, edits };
}

function table(text: string): readonly (readonly string[])[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
