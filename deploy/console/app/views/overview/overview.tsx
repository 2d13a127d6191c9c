/** The first view: how many memories there are, what happens now, and how an agent is connected. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { ACTIVITY_EVERY_MS, LastHour, minutesOf, ProjectorLags, useActivity } from '../../parts/activity.js';
import { Sparkline } from '../../parts/bars.js';
import { AccessButton, count, Empty, ReadingState } from '../../parts/basics.js';
import { Days } from '../../parts/charts.js';
import { hrefOf } from '../../service/route.js';
import { call, type Problem } from '../../service/service.js';
import { type Reading, useRead } from '../../service/use-read.js';
import { Connect } from './connect.js';
import { LatestChanges, useChanges } from './latest-changes.js';

type Overview = ReplyOf<'readOverview'>;
type Activity = ReplyOf<'readActivity'>;

/** A key without the scope of the stream sees no change. */
const WITHOUT_CHANGES_MS = 30_000;
/** The service repeats its counts for 5 seconds. */
const AFTER_CHANGE_MS = 5_500;

export function OverviewView() {
  const overview = useRead('overview', (signal) => call('readOverview', { signal }), WITHOUT_CHANGES_MS);
  const activity = useActivity();
  const againSoon = useSeldom(overview.again);
  const changes = useChanges(againSoon);
  // The first answer may be one that the service repeats.
  useEffect(() => againSoon(), []);
  const { body } = overview;
  return (
    <>
      <h1>Overview</h1>
      <HealthLine />
      <ReadingState reading={overview} what="the overview" />
      {body?.memories === 0 && (
        <>
          <Empty>
            <p>There are no memories yet. Store the first one with a command below: this page shows it at once.</p>
            <p>
              Notes that you have already go in as a file of JSON lines, in <a href={hrefOf('browse')}>Browse</a>.
            </p>
          </Empty>
          <Connect />
        </>
      )}
      <Tiles overview={body} activity={activity.body} />
      {body !== null && body.memories > 0 && <Growth added={body.added} />}
      <Locked reading={activity} above={overview.problem} what="Recalls, stores and projectors" />
      {activity.body !== null && <LastHour activity={activity.body} />}
      {activity.body !== null && <ProjectorLags projectors={activity.body.projectors} />}
      {body !== null && body.memories > 0 && <Rankings overview={body} />}
      <Locked reading={changes} above={overview.problem} what="The latest changes" />
      {changes.problem === null && <LatestChanges events={changes.events} />}
      {body?.memories !== 0 && <Connect />}
    </>
  );
}

/** Calls after each change, at most once in ACTIVITY_EVERY_MS. */
function useSeldom(work: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const last = useRef(0);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return () => {
    if (timer.current !== null) return;
    const waitMs = Math.max(AFTER_CHANGE_MS, last.current + ACTIVITY_EVERY_MS - Date.now());
    timer.current = setTimeout(() => {
      timer.current = null;
      last.current = Date.now();
      work();
    }, waitMs);
  };
}

function HealthLine() {
  const { body } = useRead('health', (signal) => call('health', { signal }), ACTIVITY_EVERY_MS);
  if (body === null) return null;
  const [problem] = body.problems;
  return (
    <p class={body.status === 'healthy' ? 'note good' : 'note problem'} role="status">
      The service is {body.status}
      {problem === undefined ? '' : `: ${problem}`}. <a href={hrefOf('health')}>Health in detail</a>
    </p>
  );
}

/** What a part lacks that its reader may not see: one line in place of the part. The note above says it first. */
function Locked({
  reading: { problem },
  above,
  what,
}: {
  readonly reading: Pick<Reading<unknown>, 'problem'>;
  readonly above: Problem | null;
  readonly what: string;
}) {
  if (problem === null || (above !== null && above.message === problem.message)) return null;
  return (
    <p class="note">
      {what} are not shown. {problem.status === null ? '' : `${problem.status}: `}
      {problem.message} {(problem.status === 401 || problem.status === 403) && <AccessButton />}
    </p>
  );
}

function Tiles({ overview, activity }: { readonly overview: Overview | null; readonly activity: Activity | null }) {
  const added = overview?.added.map((day) => day.count) ?? [];
  const month = added.reduce((sum, each) => sum + each, 0);
  const patterns = overview?.by_type['MetaPattern'] ?? 0;
  const { total, steps } = activity ?? {};
  return (
    <section class="tiles" aria-label="Numbers">
      {overview !== null && (
        <>
          <Tile
            name="Memories"
            value={overview.memories - patterns}
            note={`${count(month, 'memory', 'memories')} of the last 30 days${
              patterns === 0
                ? ''
                : `, with patterns of consolidation, of which there are ${patterns.toLocaleString('en')}`
            }`}
          >
            <Sparkline values={totalsOf(overview)} label="Memories on each of the last 30 days" />
          </Tile>
          <Tile name="Associations" value={overview.associations} note="between memories" />
        </>
      )}
      {total !== undefined && steps !== undefined && (
        <>
          <Tile name="Recalls" value={total.recalls} note="in the last hour, by the process that answers">
            <Sparkline values={known(minutesOf(steps.recalls))} label="Recalls of each minute" />
          </Tile>
          <Tile name="Found nothing" value={total.found_nothing} note={shareOf(total.found_nothing, total.recalls)}>
            <Sparkline
              values={known(minutesOf(steps.found_nothing))}
              label="Recalls without a result, of each minute"
            />
          </Tile>
          <Tile
            name="Stores"
            value={total.stores}
            note={`in the last hour, and ${count(total.changes, 'other change')}`}
          >
            <Sparkline values={known(minutesOf(steps.stores))} label="Stores of each minute" />
          </Tile>
        </>
      )}
    </section>
  );
}

type TileProps = {
  readonly name: string;
  readonly value: number;
  readonly note: string;
  readonly children?: ComponentChildren;
};

function Tile({ name, value, note, children }: TileProps) {
  return (
    <div class="panel tile">
      <h2>{name}</h2>
      <p class="big">{value.toLocaleString('en')}</p>
      {children}
      <small>{note}</small>
    </div>
  );
}

/** The memories at the end of each day: those of now without the later ones. */
function totalsOf({ memories, added }: Overview): readonly number[] {
  let later = 0;
  return [...added]
    .reverse()
    .map((day) => {
      const atEnd = memories - later;
      later += day.count;
      return Math.max(0, atEnd);
    })
    .reverse();
}

function known(values: readonly (number | null)[]): readonly number[] {
  return values.map((value) => value ?? 0);
}

function shareOf(part: number, whole: number): string {
  if (whole === 0) return 'No recall in the last hour.';
  return `${Math.round((100 * part) / whole)} % of the recalls of the last hour`;
}

function Growth({ added }: Pick<Overview, 'added'>) {
  const [isOpen, setIsOpen] = useState(false);
  const sum = added.reduce((total, day) => total + day.count, 0);
  const most = added.reduce((best, day) => (day.count > best.count ? day : best), { date: '', count: 0 });
  const label = `Memories of each of the last 30 days by their time: ${sum.toLocaleString('en')} in all${
    most.count === 0 ? '' : `, most on ${most.date}: ${most.count.toLocaleString('en')}`
  }`;
  return (
    <section class="panel" aria-labelledby="growth-title">
      <h2 id="growth-title">Growth in 30 days</h2>
      {sum === 0 && <p>No memory has a time in these days.</p>}
      {sum > 0 && <Days days={added} label={label} />}
      <details onToggle={(event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}>
        <summary>As a table</summary>
        {isOpen && (
          <table>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">Memories</th>
              </tr>
            </thead>
            <tbody>
              {added.map((day) => (
                <tr key={day.date}>
                  <th scope="row">{day.date}</th>
                  <td class="number">{day.count.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </details>
    </section>
  );
}

type Ranked = { readonly name: string; readonly note?: string; readonly memories: number; readonly href: string };

function Rankings({ overview }: { readonly overview: Overview }) {
  const { top_tags: tags, by_type: types, top_entities: entities, tagged, memories: all } = overview;
  const note = tagged < all ? `of the newest ${tagged.toLocaleString('en')} memories` : '';
  const byUse = Object.entries(types).sort(([, one], [, other]) => other - one);
  return (
    <div class="rankings">
      <Ranking
        title="Types"
        rows={byUse.map(([type, memories]) => ({ name: type, memories, href: hrefOf('browse', null, { type }) }))}
        none="No memory has a type."
      />
      <Ranking
        title="Tags"
        note={note}
        rows={tags.map(({ tag, memories }) => ({ name: tag, memories, href: hrefOf('browse', null, { tag }) }))}
        none="No memory has a tag. Tags narrow a recall, and list memories without one."
      />
      <Ranking
        title="Entities"
        note={note}
        rows={entities.map(({ tag, name, category, memories }) => ({
          name,
          note: category,
          memories,
          href: hrefOf('entities', tag.split(':').at(-1) ?? tag, { category }),
        }))}
        none="Enrichment has found no people, places or projects yet."
      />
    </div>
  );
}

function Ranking({
  title,
  note: of = '',
  rows,
  none,
}: {
  readonly title: string;
  readonly note?: string;
  readonly rows: readonly Ranked[];
  readonly none: string;
}) {
  const most = rows[0]?.memories ?? 1;
  return (
    <section class="panel" aria-label={`Most used ${title.toLowerCase()}`}>
      <h2>
        {title} {of !== '' && <small>{of}</small>}
      </h2>
      {rows.length === 0 && <p>{none}</p>}
      <ol class="ranking">
        {rows.map(({ name, note, memories, href }) => (
          <li key={href}>
            <a href={href}>{name}</a> {note !== undefined && <small>{note}</small>}
            <span class="number">{memories.toLocaleString('en')}</span>
            <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect class="day" width={(100 * memories) / most} height="10" />
            </svg>
          </li>
        ))}
      </ol>
    </section>
  );
}
