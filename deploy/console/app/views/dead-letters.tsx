/** Events that a projector could not project: why, and what to do with them. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { ProblemNote, ReadingState, Subject, Time } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { call, type Problem } from '../service/service.js';
import { useRead } from '../service/use-read.js';

type Letter = ReplyOf<'listDeadLetters'>['dead_letters'][number];

const EVERY_MS = 3_000;
const PAGE = 50;

export function DeadLetters() {
  const [after, setAfter] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const { dialog, ask } = useConfirm();
  const reading = useRead(
    `dead letters ${after}`,
    (signal) => call('listDeadLetters', { query: { after, limit: PAGE }, signal }),
    EVERY_MS,
  );
  const letters = reading.body?.dead_letters ?? [];
  // A letter that is gone is no longer chosen.
  const ids = letters.map(({ id }) => id).filter((id) => chosen.has(id));

  const act = async (name: 'redriveDeadLetters' | 'discardDeadLetters'): Promise<void> => {
    const detail = 'The projectors will never handle these events. The journal keeps them.';
    if (name === 'discardDeadLetters' && !(await ask({ title: `Discard ${ids.length}?`, detail, verb: 'Discard' })))
      return;
    const result = await call(name, { body: { ids } });
    setProblem(result.ok ? null : result.problem);
    if (result.ok) setChosen(new Set());
    reading.again();
  };
  const choose = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const next = reading.body?.next ?? null;
  return (
    <section class="panel" aria-labelledby="dead-letters-title">
      <h2 id="dead-letters-title">Dead letters</h2>
      <ReadingState reading={reading} what="the dead letters" />
      {reading.body !== null && (
        <p>
          {reading.body.total === 0
            ? 'None: every event was handled, or still waits for its turn.'
            : `${reading.body.total} in all.`}
        </p>
      )}
      <ul class="letters">
        {letters.map((letter) => (
          <OneLetter
            key={letter.id}
            letter={letter}
            isChosen={chosen.has(letter.id)}
            onChoose={() => choose(letter.id)}
          />
        ))}
      </ul>
      {letters.length > 0 && (
        <div class="buttons">
          <button type="button" onClick={() => setChosen(new Set(letters.map(({ id }) => id)))}>
            Choose all
          </button>
          <button type="button" class="main" disabled={ids.length === 0} onClick={() => void act('redriveDeadLetters')}>
            Redrive {ids.length}
          </button>
          <button
            type="button"
            class="danger"
            disabled={ids.length === 0}
            onClick={() => void act('discardDeadLetters')}
          >
            Discard {ids.length}
          </button>
          {after > 0 && (
            <button type="button" onClick={() => setAfter(0)}>
              First page
            </button>
          )}
          {next !== null && (
            <button type="button" onClick={() => setAfter(next)}>
              Next page
            </button>
          )}
        </div>
      )}
      <ProblemNote problem={problem} />
      {dialog}
    </section>
  );
}

type LetterProps = { readonly letter: Letter; readonly isChosen: boolean; readonly onChoose: () => void };

function OneLetter({ letter, isChosen, onChoose }: LetterProps) {
  const { id, projector, type, subject, reason, attempts, at, awaits_redrive: awaits } = letter;
  return (
    <li>
      <label>
        <input type="checkbox" checked={isChosen} onChange={onChoose} /> {projector}: {type} (number {id})
      </label>
      <p class="facts">
        <Subject name={subject} />, <Time at={at} />, after {attempts} attempts{awaits && ', waits for its redrive'}
      </p>
      <p>{reason}</p>
    </li>
  );
}
