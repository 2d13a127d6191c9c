/** Asks the service why one memory is not among the results, and says the answer in words. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { Field, MemoryLink, ProblemNote } from '../parts/basics.js';
import type { Parameters } from '../service/route.js';
import { call, type Problem } from '../service/service.js';
import { recallQueryOf, stateReason } from './recalled.js';
import { Evidence } from './result-card.js';

type Explanation = NonNullable<ReplyOf<'recall'>['explain']>;
type Cut = NonNullable<Explanation['cut']>;

export function WhyNot({ parameters }: { readonly parameters: Parameters }) {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('id') ?? '').trim();
    const result = await call('recall', { query: { ...recallQueryOf(parameters), explain: id } });
    const explained = result.ok ? (result.body.explain ?? null) : null;
    setExplanation(explained);
    if (!result.ok) setProblem(result.problem);
    else setProblem(explained === null ? { status: null, message: 'That is not the id of a memory: a UUID.' } : null);
  };
  return (
    <section class="panel" aria-labelledby="why-not-title">
      <h2 id="why-not-title">Why not this one?</h2>
      <form onSubmit={(event) => void submit(event)} class="line">
        <Field label="Id of a memory" isWide>
          {(id) => <input id={id} name="id" required pattern="\s*[0-9a-fA-F\-]{36}\s*" placeholder="a UUID" />}
        </Field>
        <button type="submit">Explain</button>
      </form>
      <div role="status">{explanation !== null && <Reason explanation={explanation} />}</div>
      <ProblemNote problem={problem} />
    </section>
  );
}

function Reason({ explanation: { memory_id: id, position, cut, evidence } }: { readonly explanation: Explanation }) {
  return (
    <>
      <p>
        <MemoryLink id={id} />: {cut === null ? `It is result ${position ?? '?'}.` : wordsOf(cut)}{' '}
        {cut?.of !== undefined && <MemoryLink id={cut.of} />}
        {cut?.successor !== undefined && <MemoryLink id={cut.successor} />}
      </p>
      {evidence !== null && <Evidence explain={evidence} />}
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
