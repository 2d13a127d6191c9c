/**
 * The recall lab: a query with its filters, the results with the parts of their scores, and why a memory is not among
 * them.
 */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { Legend, type Part, StageBars } from '../parts/bars.js';
import { count, Empty, Field, MemoryLink, ReadingState } from '../parts/basics.js';
import { goTo, hrefOf, type Parameters } from '../service/route.js';
import { call } from '../service/service.js';
import { type Reading, useRead } from '../service/use-read.js';
import { type FullResult, recallQueryOf, stateReason } from './recalled.js';
import { ResultCard } from './result-card.js';
import { WhyNot } from './why-not.js';

type Recalled = ReplyOf<'recall'>;

/** `limit` and flags are read by the service in the same form. */
const FILTERS = ['tags', 'exclude_tags', 'time_query', 'limit', 'sort', 'state_mode', 'expand_relations'] as const;

export function RecallView({ parameters }: { readonly parameters: Parameters }) {
  const isAsked = Object.keys(parameters).length > 0;
  const query = { ...recallQueryOf(parameters), explain: 'true' };
  const reading = useRead(isAsked ? JSON.stringify(query) : null, (signal) => call('recall', { query, signal }));
  return (
    <>
      <h1>Recall lab</h1>
      <RecallForm key={JSON.stringify(parameters)} parameters={parameters} />
      {isAsked ? (
        <Answer reading={reading} parameters={parameters} />
      ) : (
        <Empty>Type a question in words, such as “which database does the shop use”, and press Recall.</Empty>
      )}
    </>
  );
}

function RecallForm({ parameters }: { readonly parameters: Parameters }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const texts = ['query', ...FILTERS].map((name) => [name, String(data.get(name) ?? '').trim()] as const);
    const given = Object.fromEntries(texts.filter(([, value]) => value !== ''));
    goTo(hrefOf('recall', null, Object.keys(given).length === 0 ? { query: '*' } : given));
  };
  const text = (name: string, label: string, hint?: string) => (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id) => <input id={id} name={name} defaultValue={parameters[name] ?? ''} />}
    </Field>
  );
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <Field label={label}>
      {(id) => (
        <select id={id} name={name} defaultValue={parameters[name] ?? ''}>
          {options.map(([value, shown]) => (
            <option key={value} value={value} selected={value === (parameters[name] ?? '')}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <form onSubmit={submit} class="panel" role="search" aria-label="Recall">
      <Field label="Query" isWide hint="Leave it empty to list trending memories.">
        {(id) => <input id={id} name="query" type="search" defaultValue={parameters['query'] ?? ''} />}
      </Field>
      <details open={FILTERS.some((name) => parameters[name] !== undefined)}>
        <summary>Filters</summary>
        <div class="fields">
          {text('tags', 'Tags', 'Separated by commas.')}
          {text('exclude_tags', 'Without tags')}
          {text('time_query', 'Time', 'Such as “last 7 days”.')}
          {text('limit', 'Results')}
          {choice('sort', 'Order', [
            ['', 'Best first'],
            ['time_desc', 'Newest first'],
            ['time_asc', 'Oldest first'],
            ['updated_desc', 'Last changed first'],
          ])}
          {choice('state_mode', 'Versions of facts', [
            ['', 'Current ones'],
            ['history', 'Replaced ones, too'],
          ])}
          {choice('expand_relations', 'Associated memories', [
            ['', 'No'],
            ['true', 'Add them'],
          ])}
        </div>
      </details>
      <div class="buttons">
        <button type="submit" class="main">
          Recall
        </button>
      </div>
    </form>
  );
}

function Answer({ reading, parameters }: { readonly reading: Reading<Recalled>; readonly parameters: Parameters }) {
  const [names, setNames] = useState<readonly string[]>([]);
  const { body, headers } = reading;
  if (body === null) return <ReadingState reading={reading} what="the results" />;
  const results = body.results.filter((result): result is FullResult => 'memory' in result);
  const found = componentsOf(results);
  // A component keeps its colour from one recall to the next.
  const all = [...names, ...found.filter((name) => !names.includes(name))];
  if (all.length > names.length) setNames(all);
  const highest = Math.max(...results.map(({ final_score: score }) => score), 0);
  return (
    <>
      <ReadingState reading={reading} what="the results" />
      <section aria-labelledby="results-title">
        <div role="status">
          <h2 id="results-title">
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
        {results.length === 0 ? (
          <Empty>
            Nothing was found. Use other words, remove a filter, or ask below why a memory that you expect is missing.
          </Empty>
        ) : (
          <Legend names={all} />
        )}
        <ol class="results">
          {results.map((result, index) => (
            <ResultCard key={result.id} result={result} rank={index + 1} whole={highest} names={all} />
          ))}
        </ol>
      </section>
      <Suppressed body={body} />
      <WhyNot parameters={parameters} />
      <StageBars stages={stagesOf(headers?.get('server-timing') ?? '')} />
    </>
  );
}

function componentsOf(results: readonly FullResult[]): readonly string[] {
  return [...new Set(results.flatMap(({ explain }) => Object.entries(explain?.points ?? {})))]
    .filter(([, value]) => value > 0)
    .map(([name]) => name)
    .filter((name, index, all) => all.indexOf(name) === index);
}

function Suppressed({ body }: { readonly body: Recalled }) {
  const suppressed = body.state_filter?.suppressed ?? [];
  if (suppressed.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="suppressed-title">
      <h2 id="suppressed-title">Suppressed</h2>
      <ul>
        {suppressed.map(({ id, reason, replacement_id: replacement, relation_type: type }) => (
          <li key={id}>
            <MemoryLink id={id} /> {stateReason(reason)}
            {replacement !== undefined && (
              <>
                {' '}
                <MemoryLink id={replacement} /> {type !== undefined && <span class="chip">{type}</span>}
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `encode;dur=1.2, total;dur=8.0` as parts. */
function stagesOf(header: string): readonly Part[] {
  return header.split(', ').flatMap((entry) => {
    const [name = '', ms] = entry.split(';dur=', 2);
    return ms === undefined ? [] : [{ name, value: Number(ms) }];
  });
}
