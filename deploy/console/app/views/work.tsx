/** Background work: the projectors with their lag, the outbox, jobs and dead letters. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { LagCharts, LastHour, useActivity } from '../parts/activity.js';
import { Sparkline } from '../parts/bars.js';
import { count, Empty, ProblemNote, ReadingState, Time } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { Icon } from '../parts/icon.js';
import type { Problem } from '../service/service.js';
import { call } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { DeadLetters } from './dead-letters.js';
import { Jobs } from './jobs.js';

type Projector = ReplyOf<'listProjectors'>['projectors'][number];

const EVERY_MS = 2_000;
/** Readings in a sparkline: two minutes. */
const READINGS = 60;

export function WorkView() {
  const projectors = useRead('projectors', (signal) => call('listProjectors', { signal }), EVERY_MS);
  const activity = useActivity();
  const health = useRead('health', (signal) => call('health', { signal }), EVERY_MS);
  const lags = useRef(new Map<string, number[]>());
  const { body } = projectors;
  useEffect(() => {
    for (const { name, lag_events: lag } of body?.projectors ?? []) {
      const old = lags.current.get(name) ?? [];
      lags.current.set(name, [...old, lag].slice(-READINGS));
    }
  }, [body]);
  const outbox = health.body?.outbox;
  return (
    <>
      <h1>Work</h1>
      <section class="panel" aria-labelledby="projectors-title">
        <h2 id="projectors-title">Projectors</h2>
        <ReadingState reading={projectors} what="the projectors" />
        {body !== null && (
          <>
            <p>The journal ends at position {body.head.toLocaleString('en')}.</p>
            <div class="scroll" tabIndex={0} role="region" aria-label="Table of projectors">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">State</th>
                    <th scope="col">Position</th>
                    <th scope="col">Lag</th>
                    <th scope="col">Last two minutes</th>
                    <th scope="col">Events/s</th>
                    <th scope="col">Dead letters</th>
                    <th scope="col">Control</th>
                  </tr>
                </thead>
                <tbody>
                  {body.projectors.map((each) => (
                    <ProjectorRow
                      key={each.name}
                      projector={each}
                      lags={lags.current.get(each.name) ?? []}
                      onChanged={projectors.again}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            {body.projectors.length === 0 && <Empty>No projector has run yet.</Empty>}
          </>
        )}
      </section>
      {activity.body !== null && (
        <LastHour activity={activity.body}>
          <LagCharts activity={activity.body} />
        </LastHour>
      )}
      {outbox !== undefined && outbox !== null && (
        <section class="panel" aria-labelledby="outbox-title">
          <h2 id="outbox-title">Outbox</h2>
          <p>
            {count(outbox.pending, 'event')} not in the graph yet, {count(outbox.applied, 'event')} not in the stream
            yet; the oldest waits for {(outbox.oldest_ms / 1_000).toFixed(1)} s.
          </p>
        </section>
      )}
      <Jobs />
      <DeadLetters />
    </>
  );
}

type RowProps = {
  readonly projector: Projector;
  readonly lags: readonly number[];
  readonly onChanged: () => void;
};

function ProjectorRow({ projector, lags, onChanged }: RowProps) {
  const { name, status, position, lag_events: lag, lag_seconds: seconds } = projector;
  const [problem, setProblem] = useState<Problem | null>(null);
  const { dialog, ask } = useConfirm();
  const isPaused = status === 'paused';
  const control = async (): Promise<void> => {
    const detail = 'New memories are then not processed by it, in all its instances, until it is resumed.';
    if (!isPaused && !(await ask({ title: `Pause ${name}?`, detail, verb: 'Pause' }))) return;
    const result = await call(isPaused ? 'resumeProjector' : 'pauseProjector', { params: { name } });
    setProblem(result.ok ? null : result.problem);
    onChanged();
  };
  return (
    <tr>
      <th scope="row">
        {name}
        <LastError projector={projector} />
      </th>
      <td>
        <span class={`state ${status === 'running' ? 'open' : 'cut'}`}>{status}</span>
        {status === 'running' && <small> {lag === 0 ? 'caught up, waits for events' : 'at work'}</small>}
      </td>
      <td class="number">{position.toLocaleString('en')}</td>
      <td class="number">
        {count(lag, 'event')}
        {seconds !== null && seconds > 0 && `, ${seconds.toFixed(1)} s`}
      </td>
      <td>
        <Sparkline values={lags} label={`Lag of ${name}: now ${lag}, at most ${Math.max(lag, ...lags)}`} />
      </td>
      <td class="number">{projector.rate_per_second.toFixed(1)}</td>
      <td class="number">{projector.dead_letters}</td>
      <td>
        <button type="button" onClick={() => void control()}>
          <Icon name={isPaused ? 'play' : 'pause'} /> {isPaused ? 'Resume' : 'Pause'}
          <span class="hidden"> {name}</span>
        </button>
        <ProblemNote problem={problem} />
        {dialog}
      </td>
    </tr>
  );
}

/** An error before the last handled event is over: the projector tried again, or the event is a dead letter. */
function LastError({
  projector: { lag_events: lag, last_error: error, last_error_at: at },
}: Pick<RowProps, 'projector'>) {
  if (error === null || at === null) return null;
  return (
    <small class={lag === 0 ? 'earlier' : 'problem'}>
      {lag === 0 ? 'earlier error, ' : 'last error, '}
      <Time at={at} />: {error}
    </small>
  );
}
