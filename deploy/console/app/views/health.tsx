/** The health of each store, in words. */
import { Fragment } from 'preact';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { ReadingState, Time } from '../parts/basics.js';
import { call } from '../service/service.js';
import { useRead } from '../service/use-read.js';

type Health = ReplyOf<'health'>;
type Line = { readonly name: string; readonly isGood: boolean | null; readonly words: string };

const EVERY_MS = 5_000;

export function HealthView() {
  const reading = useRead('health', (signal) => call('health', { signal }), EVERY_MS);
  const { body } = reading;
  return (
    <>
      <h1>Health</h1>
      <ReadingState reading={reading} what="the health" />
      {body !== null && (
        <>
          <p class={body.status === 'healthy' ? 'note good' : 'note problem'} role="status">
            The service is {body.status}. Checked <Time at={body.timestamp} />, version {body.version}.
          </p>
          {body.problems.map((problem) => (
            <p key={problem} class="note problem">
              {problem}
            </p>
          ))}
          <dl class="panel health">
            {linesOf(body).map(({ name, isGood, words }) => (
              <Fragment key={name}>
                <dt>
                  <span class={`state ${isGood === null ? 'unknown' : isGood ? 'open' : 'cut'}`}>{name}</span>
                </dt>
                <dd>{words}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
    </>
  );
}

const number = (value: number | null | undefined): string => value?.toLocaleString('en') ?? 'an unknown number of';
const link = (state: string): string => (state === 'connected' ? 'It answers' : 'It does not answer');
const SYNC: Readonly<Record<string, string>> = {
  synced: 'Graph and vector index agree',
  drift_detected: 'Memories lack a vector; the drift repairer writes them',
  orphaned_vectors: 'Vectors lack a memory; the drift repairer removes them',
  unknown: 'Graph and vector index cannot be compared now',
};

function linesOf(health: Health): readonly Line[] {
  const { outbox, stream, drift, projectors, enrichment, rebuilding, vector_dimensions: dimensions } = health;
  const lines: (Line | null)[] = [
    {
      name: 'Graph',
      isGood: health.neo4j === 'connected',
      words: `${link(health.neo4j)} and holds ${number(health.memory_count)} memories.`,
    },
    {
      name: 'Vector index',
      isGood: health.qdrant === 'connected',
      words: `${link(health.qdrant)} and holds ${number(health.vector_count)} vectors of ${number(dimensions.effective)} numbers.${
        dimensions.mismatch ? ' Its vector size is not the configured one: rebuild the index.' : ''
      }`,
    },
    { name: 'Journal', isGood: health.journal === 'connected', words: `${link(health.journal)}.` },
    {
      name: 'Agreement',
      isGood: health.sync_status === 'unknown' ? null : health.sync_status === 'synced',
      words: `${SYNC[health.sync_status] ?? health.sync_status}. ${number(health.in_flight)} events are not indexed yet.${
        drift === null
          ? ''
          : ` Last comparison: ${drift.missing} missing, ${drift.orphaned} orphaned, ${drift.repaired} repaired.`
      }`,
    },
    outbox === undefined || outbox === null
      ? null
      : {
          name: 'Outbox',
          isGood: outbox.dead_letters === 0,
          words: `${outbox.pending} events wait for the graph, ${outbox.applied} for the stream, the oldest for ${(outbox.oldest_ms / 1_000).toFixed(1)} s. ${outbox.dead_letters} dead letters.`,
        },
    stream === undefined || stream === null
      ? null
      : {
          name: 'Stream',
          isGood: stream.warning === null,
          words: `Kafka has ${stream.partitions} partitions, generation ${stream.generation}. ${stream.warning ?? ''}`,
        },
    {
      name: 'Enrichment',
      isGood: enrichment.failed === 0 ? enrichment.status === 'running' || null : false,
      words: `It is ${enrichment.status}. ${enrichment.pending} wait, ${enrichment.processed} are done, ${enrichment.failed} failed.`,
    },
    rebuilding === null
      ? null
      : {
          name: 'Rebuild of the graph',
          isGood: null,
          words: `${rebuilding.subjects} of ${rebuilding.total_subjects} subjects, ${rebuilding.events} events.`,
        },
    ...Object.entries(projectors ?? {}).map(([name, { status, lag_events: lag, lag_seconds: seconds }]) => ({
      name,
      isGood: status === 'running',
      words: `It is ${status}, ${number(lag)} events and ${seconds === null ? 'an unknown number of' : seconds.toFixed(1)} seconds behind.`,
    })),
  ];
  return lines.filter((line): line is Line => line !== null);
}
