/**
 * The recall lab: a query with its filters, the results with the parts of their scores, and why a memory is not among
 * them. Two sets of parameters are compared.
 */
import { useState } from 'preact/hooks';
import { Legend, StackedBar } from '../../parts/bars.js';
import { count, Empty, ReadingState } from '../../parts/basics.js';
import { goTo, hrefOf, type Parameters } from '../../service/route.js';
import { call } from '../../service/service.js';
import { type Reading, useRead } from '../../service/use-read.js';
import { Comparison } from './comparison.js';
import { CopyRequest } from './copy-request.js';
import { type Known, QuotedMemory } from './quoted-memory.js';
import { RecallForm } from './recall-form.js';
import { RecallTimes } from './recall-times.js';
import {
  type FullResult,
  fullResultsOf,
  type Given,
  ofSet,
  parametersOf,
  type Recalled,
  requestOf,
  type Scale,
  scaleOf,
  setsOf,
  stageTimesOf,
  stateReason,
} from './recalled.js';
import { ResultCard } from './result-card.js';
import { WhyNot } from './why-not.js';

/** Suppressed memories that are named: each is read on its own. */
const SUPPRESSED_SHOWN = 20;

export function RecallView({ parameters }: { readonly parameters: Parameters }) {
  const { first, second } = setsOf(parameters);
  const isAsked = Object.keys(parameters).length > 0;
  return (
    <>
      <h1>Recall lab</h1>
      <RecallForm key={JSON.stringify(parameters)} first={first} second={second} />
      <RecallTimes given={first} onChoose={(given) => goTo(hrefOf('recall', null, parametersOf(given, second)))} />
      {isAsked ? (
        <Answers first={first} second={second} />
      ) : (
        <Empty>Type a question in words, such as “which database does the shop use”, and press Recall.</Empty>
      )}
    </>
  );
}

function useRecall(given: Given | null): Reading<Recalled> {
  return useRead(given === null ? null : JSON.stringify(given), (signal) =>
    call('recall', { query: requestOf(given ?? {}), signal }),
  );
}

function Answers({ first, second }: { readonly first: Given; readonly second: Given | null }) {
  const [names, setNames] = useState<readonly string[]>([]);
  const reading = useRecall(first);
  const other = useRecall(second);
  const [results, others] = [reading, other].map(({ body }) => (body === null ? [] : fullResultsOf(body)));
  const both = [...(results ?? []), ...(others ?? [])];
  // A component keeps its colour from one recall to the next.
  const all = [...new Set([...names, ...both.flatMap(({ explain }) => Object.keys(explain?.points ?? {}))])];
  if (all.length > names.length) setNames(all);
  const scale = scaleOf(both);
  const shared = { scale, names: all, known: new Map(both.map(({ id, memory }) => [id, memory.content])) };
  return (
    <>
      {second !== null && reading.body !== null && other.body !== null && (
        <Comparison first={results ?? []} second={others ?? []} />
      )}
      {both.length > 0 && (
        <>
          <Legend label="Colours of the components" entries={all.map((name) => ({ name }))} />
          <p class="facts">
            Every bar has the same scale, from {scale.lowest.toFixed(2)} to {scale.highest.toFixed(2)}.
          </p>
        </>
      )}
      {second === null ? (
        <Answer reading={reading} given={first} {...shared} />
      ) : (
        <div class="compared">
          <Answer name="A" reading={reading} given={first} {...shared} />
          <Answer name="B" reading={other} given={second} {...shared} />
        </div>
      )}
    </>
  );
}

type AnswerProps = {
  /** Of the set, when there are two. */
  readonly name?: string;
  readonly reading: Reading<Recalled>;
  readonly given: Given;
  readonly scale: Scale;
  readonly names: readonly string[];
  readonly known: Known;
};

function Answer({ name = '', reading, given, ...shared }: AnswerProps) {
  const { body, headers } = reading;
  if (body === null) return <ReadingState reading={reading} what="the results" />;
  const results: readonly FullResult[] = fullResultsOf(body);
  const title = `results-title${name}`;
  return (
    <div>
      <ReadingState reading={reading} what="the results" />
      <section aria-labelledby={title}>
        <div role="status">
          <h2 id={title}>
            {name !== '' && `${name}: `}
            {count(results.length, 'result')} in {body.query_time_ms.toFixed(1)} ms
          </h2>
        </div>
        {body.nothing_fits === true && (
          <p class="note">No result seems to answer the query. The best ones are shown all the same.</p>
        )}
        {(body.degraded ?? []).map(({ source, reason }) => (
          <p key={source} class="note problem">
            The source “{source}” did not answer: {reason}
          </p>
        ))}
        {results.length === 0 && (
          <Empty>
            Nothing was found. Use other words, remove a filter, or ask below why a memory that you expect is missing.
          </Empty>
        )}
        <ol class="results">
          {results.map((result, index) => (
            <ResultCard key={result.id} result={result} query={body.query} rank={index + 1} {...shared} />
          ))}
        </ol>
      </section>
      <Suppressed body={body} known={shared.known} name={name} />
      <WhyNot key={JSON.stringify(given)} given={given} known={shared.known} name={name} />
      <StageTimes header={headers?.get('server-timing') ?? ''} name={name} />
      <CopyRequest request={requestOf(given)} name={name} />
    </div>
  );
}

type SuppressedProps = { readonly body: Recalled; readonly known: Known; readonly name: string };

function Suppressed({ body, known, name }: SuppressedProps) {
  const suppressed = body.state_filter?.suppressed ?? [];
  if (suppressed.length === 0) return null;
  const hidden = suppressed.length - SUPPRESSED_SHOWN;
  const title = `suppressed-title${name}`;
  return (
    <section class="panel" aria-labelledby={title}>
      <h2 id={title}>Suppressed{ofSet(name)}</h2>
      <ul>
        {suppressed
          .slice(0, SUPPRESSED_SHOWN)
          .map(({ id, reason, replacement_id: replacement, relation_type: type }) => (
            <li key={id}>
              <QuotedMemory id={id} known={known} /> {stateReason(reason)}
              {replacement !== undefined && (
                <>
                  {' '}
                  <QuotedMemory id={replacement} known={known} />{' '}
                  {type !== undefined && <span class="chip">{type}</span>}
                </>
              )}
            </li>
          ))}
        {hidden > 0 && <li>{count(hidden, 'more memory', 'more memories')}</li>}
      </ul>
    </section>
  );
}

function StageTimes({ header, name: set }: { readonly header: string; readonly name: string }) {
  const { total, stages } = stageTimesOf(header);
  const sum = stages.reduce((all, { value }) => all + value, 0);
  const entries = stages.map(({ name, value, parts }) => ({
    name,
    figure: `${value.toFixed(1)} ms${parts.length === 0 ? '' : ` (with ${parts.join(', ')})`}`,
  }));
  return (
    <section class="panel" aria-label={`Time of each stage${ofSet(set)}`}>
      <strong>{total.toFixed(1)} ms in the service</strong>
      <StackedBar
        parts={stages}
        highest={Math.max(total, sum)}
        names={stages.map(({ name }) => name)}
        label={`${total.toFixed(1)} ms by stages`}
      />
      <Legend label="Time of each stage" entries={entries} />
    </section>
  );
}
