/** Asks the service why one memory is not among the results, and says the answer in words. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { count, Field, ProblemNote, shorten } from '../../parts/basics.js';
import { call, isMemoryId, type Problem, type Result } from '../../service/service.js';
import { type Known, QuotedMemory } from './quoted-memory.js';
import {
  type FullResult,
  fullResultsOf,
  type Given,
  ofSet,
  type Recalled,
  requestOf,
  stateReason,
} from './recalled.js';
import { Evidence } from './result-card.js';

type Explanation = NonNullable<ReplyOf<'recall'>['explain']>;
type Cut = NonNullable<Explanation['cut']>;

/** Memories that a search by words offers. */
const OFFERED = 10;
const OFFER_LENGTH = 160;

type Props = { readonly given: Given; readonly known: Known; readonly name: string };

export function WhyNot({ given, known, name }: Props) {
  const [offers, setOffers] = useState<readonly FullResult[] | null>(null);
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const show = (result: Result<Recalled>): Recalled | null => {
    setExplanation(null);
    setProblem(result.ok ? null : result.problem);
    return result.ok ? result.body : null;
  };
  const explain = async (id: string): Promise<void> => {
    const body = show(await call('recall', { query: requestOf(given, id) }));
    if (body === null) return;
    setExplanation(body.explain ?? null);
    if (body.explain === undefined) setProblem({ status: null, message: 'That is not the id of a memory: a UUID.' });
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget as HTMLFormElement).get('memory') ?? '').trim();
    setOffers(null);
    if (isMemoryId(asked)) return explain(asked);
    // Without the filters of the recall, and with replaced memories: it may be one of those.
    const body = show(await call('recall', { query: { query: asked, limit: OFFERED, state_mode: 'history' } }));
    setOffers(body === null ? null : fullResultsOf(body));
  };
  const title = `why-not-title${name}`;
  const offered = (offers ?? []).map(({ id, memory }) => [id, memory.content] as const);
  return (
    <section class="panel" aria-labelledby={title}>
      <h2 id={title}>Why not this one{ofSet(name)}?</h2>
      <form onSubmit={(event) => void submit(event)} class="line">
        <Field label="Id of a memory, or words in it" isWide>
          {(id) => <input id={id} name="memory" required />}
        </Field>
        <button type="submit">Explain</button>
      </form>
      <div role="status">
        {offers !== null && <p>{count(offers.length, 'memory', 'memories')} found. Which one do you mean?</p>}
      </div>
      {offered.length > 0 && (
        <ul class="offers">
          {offered.map(([id, content]) => (
            <li key={id}>
              <button type="button" aria-pressed={explanation?.memory_id === id} onClick={() => void explain(id)}>
                {shorten(content, OFFER_LENGTH)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {explanation !== null && (
          <Reason explanation={explanation} query={given['query'] ?? ''} known={new Map([...known, ...offered])} />
        )}
      </div>
      <ProblemNote problem={problem} />
    </section>
  );
}

type ReasonProps = { readonly explanation: Explanation; readonly query: string; readonly known: Known };

function Reason({ explanation: { memory_id: id, position, cut, evidence }, query, known }: ReasonProps) {
  const other = cut?.of ?? cut?.successor;
  return (
    <>
      <p>
        {cut?.at === 'absent' ? <code>{id}</code> : <QuotedMemory key={id} id={id} known={known} />}:{' '}
        {cut === null ? `It is result ${position ?? '?'}.` : wordsOf(cut)}{' '}
        {other !== undefined && <QuotedMemory key={other} id={other} known={known} />}
      </p>
      {evidence !== null && <Evidence explain={evidence} query={query} known={known} />}
    </>
  );
}

const RULES: Readonly<Record<string, string>> = {
  type: 'its type is left out of recalls',
  time_window: 'it is outside the time window',
  tags: 'it does not have the tags',
  exclude_tags: 'it has a tag that is excluded',
  archived: 'it is archived',
};

const rounded = (value: number | undefined): string => (value === undefined ? '?' : value.toFixed(3));

function wordsOf(cut: Cut): string {
  switch (cut.at) {
    case 'absent':
      return 'There is no memory with this id.';
    case 'filter':
      return `A filter leaves it out: ${(cut.rules ?? []).map((rule) => RULES[rule] ?? rule).join('; ')}.`;
    case 'state':
      return `Its state leaves it out: it ${stateReason(cut.reason ?? 'is not current')}`;
    case 'retrieval':
      return `No search found it. Hits of each source: ${Object.entries(cut.found ?? {})
        .map(([source, hits]) => `${source} ${hits}`)
        .join(', ')}.`;
    case 'min_score':
      return `Its score ${rounded(cut.score)} is below the smallest score ${rounded(cut.needed)}.`;
    case 'min_probability':
      return `Its match probability ${rounded(cut.probability)} is below ${rounded(cut.needed)}.`;
    case 'duplicate':
      return 'It is a duplicate of a better result:';
    case 'source':
      return 'A better memory of the same source represents it:';
    case 'limit':
      return `It is at position ${cut.position}, and the limit is ${cut.limit}. Its score is ${rounded(cut.score)}${
        cut.needed === undefined ? '' : `; the last result has ${rounded(cut.needed)}`
      }.`;
    case 'after_selection':
      return `It was selected with the score ${rounded(cut.score)}, and then removed: it scores far below the best result, or max_tokens left no room.`;
  }
}
