/** The last hour: recalls with their times, stores and changes a minute, and how far the projectors are. */
import type { ComponentChildren } from 'preact';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { hrefOf } from '../service/route.js';
import { call } from '../service/service.js';
import { type Reading, useRead } from '../service/use-read.js';
import { count, Time } from './basics.js';
import { Lines } from './charts.js';

type Activity = ReplyOf<'readActivity'>;
type Steps = readonly (number | null)[];

export const ACTIVITY_EVERY_MS = 10_000;

/** The lag of each projector in each step, of the readings of this tab. */
const lagsRead = new Map<string, Map<number, number>>();

/** Reads the last hour every ten seconds, and keeps the lags that it shows. */
export function useActivity(): Reading<Activity> {
  return useRead(
    'activity',
    async (signal) => {
      const result = await call('readActivity', { signal });
      if (result.ok) keepLags(result.body);
      return result;
    },
    ACTIVITY_EVERY_MS,
  );
}

function keepLags({ from, step_seconds: seconds, steps, projectors }: Activity): void {
  const first = Date.parse(from) / 1_000 / seconds;
  for (const { name, lag_events: lag } of projectors) {
    const lags = lagsRead.get(name) ?? new Map<number, number>();
    lagsRead.set(name, lags.set(first + steps.stores.length - 1, lag));
    for (const step of lags.keys()) if (step < first) lags.delete(step);
  }
}

/** Steps of ten seconds in a minute. */
const STEPS = 6;
const ENDS = ['an hour ago', 'now'] as const;

/** Sums of each minute; null without a known step. */
export function minutesOf(steps: Steps): Steps {
  return inMinutes(steps, (known) => known.reduce((sum, each) => sum + each, 0));
}

function inMinutes(steps: Steps, merge: (known: readonly number[]) => number): Steps {
  return Array.from({ length: Math.ceil(steps.length / STEPS) }, (_, minute) => {
    const known = steps.slice(minute * STEPS, (minute + 1) * STEPS).filter((step) => step !== null);
    return known.length === 0 ? null : merge(known);
  });
}

type LastHourProps = { readonly activity: Activity; readonly children?: ComponentChildren };

/** `children`: further charts. */
export function LastHour({ activity: { steps, total, since, instance }, children }: LastHourProps) {
  const slowest = (known: readonly number[]): number => Math.max(...known);
  const aMinute = (highest: number): string => `${highest.toLocaleString('en')} a minute`;
  const [recalls, stores, changes] = [steps.recalls, steps.stores, steps.changes].map(minutesOf) as [
    Steps,
    Steps,
    Steps,
  ];
  return (
    <section class="panel" aria-labelledby="hour-title">
      <h2 id="hour-title">The last hour</h2>
      <p>
        {count(total.recalls, 'recall')}
        {total.p50_ms !== null && `, half of them within ${ms(total.p50_ms)} and 95 % within ${ms(total.p95_ms)}`}.{' '}
        {count(total.found_nothing, 'answer')} found nothing
        {total.found_nothing > 0 && (
          <>
            : the <a href={hrefOf('recall')}>Recall lab</a> explains an answer
          </>
        )}
        . {count(total.stores, 'store')}, {count(total.changes, 'other change')} and {count(total.background, 'event')}{' '}
        of enrichment and consolidation.
      </p>
      <div class="charts">
        <Chart title="Recalls">
          <Lines
            series={[
              { name: 'recalls', values: recalls, look: 'first' },
              { name: 'found nothing', values: minutesOf(steps.found_nothing), look: 'second' },
            ]}
            label={`Recalls of each minute: ${total.recalls} in all, ${total.found_nothing} without a result`}
            wordsOf={aMinute}
            ends={ENDS}
          />
        </Chart>
        <Chart title="Time of a recall">
          <Lines
            series={[
              { name: 'p50', values: inMinutes(steps.p50_ms, slowest), look: 'first' },
              { name: 'p95', values: inMinutes(steps.p95_ms, slowest), look: 'second' },
            ]}
            label={`Time of recalls: p50 ${ms(total.p50_ms)}, p95 ${ms(total.p95_ms)} in the last hour`}
            wordsOf={ms}
            ends={ENDS}
          />
        </Chart>
        <Chart title="Stores and changes">
          <Lines
            series={[
              { name: 'stores', values: stores, look: 'first' },
              { name: 'changes', values: changes, look: 'second' },
            ]}
            label={`Stores and changes of each minute: ${total.stores} and ${total.changes} in all`}
            wordsOf={aMinute}
            ends={ENDS}
          />
        </Chart>
      </div>
      <p class="facts">
        Recalls are those of the process {instance} since its start, <Time at={since} />. A point of the times is the
        slowest of the six steps of its minute.
      </p>
      {children}
    </section>
  );
}

function Chart({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function ms(value: number | null): string {
  if (value === null) return 'not known';
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ms`;
}

/** A chart for each projector: the highest lag of each minute in which this tab read it. */
export function LagCharts({
  activity: { from, step_seconds: seconds, steps, projectors },
}: {
  readonly activity: Activity;
}) {
  const first = Date.parse(from) / 1_000 / seconds;
  const highest = (known: readonly number[]): number => Math.max(...known);
  return (
    <>
      <div class="charts">
        {projectors.map(({ name, lag_events: now }) => {
          const lags = lagsRead.get(name);
          const values = inMinutes(
            steps.stores.map((_, index) => lags?.get(first + index) ?? null),
            highest,
          );
          return (
            <Chart key={name} title={`Lag of the ${name}`}>
              <Lines
                series={[{ name: 'lag', values, look: 'first' }]}
                label={`Lag of the ${name}: ${count(now, 'event')} now`}
                wordsOf={(most) => count(most, 'event')}
                ends={ENDS}
              />
            </Chart>
          );
        })}
      </div>
      <p class="facts">The lags are those that this tab has read since it was opened, the highest of each minute.</p>
    </>
  );
}

export function ProjectorLags({ projectors }: Pick<Activity, 'projectors'>) {
  return (
    <section class="panel" aria-labelledby="lags-title">
      <h2 id="lags-title">Background work</h2>
      <ul class="lags">
        {projectors.map(({ name, status, lag_events: events, lag_seconds: seconds }) => (
          <li key={name}>
            <span class={`state ${status === 'running' ? 'open' : 'cut'}`}>{name}</span>{' '}
            {status === 'running' ? '' : `is ${status}; it `}
            {events === 0 ? 'has handled every event' : `is at most ${count(events, 'event')} behind`}
            {seconds !== null && seconds > 0 && `, the oldest of ${seconds.toFixed(1)} s ago`}.
          </li>
        ))}
      </ul>
      <p class="facts">
        <a href={hrefOf('work')}>Work</a> pauses and resumes projectors, and shows jobs and dead letters.
      </p>
    </section>
  );
}
