/** Events that a projector could not project: their content, why it failed, and what to do with them. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { count, ProblemNote, ReadingState, Time } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { EventWords, type Happening, MemoryWords } from '../parts/event-words.js';
import { call, type Problem } from '../service/service.js';
import { useRead } from '../service/use-read.js';

type Letter = ReplyOf<'listDeadLetters'>['dead_letters'][number];

const EVERY_MS = 3_000;
const PAGE = 50;

export function DeadLetters() {
  const [after, setAfter] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [redriven, setRedriven] = useState<readonly Redriven[]>([]);
  const { dialog, ask } = useConfirm();
  const reading = useRead(
    `dead letters ${after}`,
    (signal) => call('listDeadLetters', { query: { after, limit: PAGE }, signal }),
    EVERY_MS,
  );
  const letters = reading.body?.dead_letters ?? [];
  // A letter that is gone is no longer chosen.
  const ids = letters.map(({ id }) => id).filter((id) => chosen.has(id));

  const redrive = async (wanted: readonly number[]): Promise<void> => {
    const given = letters.filter(({ id }) => wanted.includes(id));
    const result = await call('redriveDeadLetters', { body: { ids: [...wanted] } });
    setProblem(result.ok ? null : result.problem);
    if (result.ok) {
      const { superseded } = result.body;
      const newer = given.map((letter) => ({ letter, isSuperseded: superseded.includes(letter.id) }));
      setRedriven((old) => [...newer, ...old.filter(({ letter }) => !wanted.includes(letter.id))].slice(0, PAGE));
      setChosen(new Set());
    }
    reading.again();
  };
  const discard = async (): Promise<void> => {
    const detail = 'The projectors will never handle these events. The journal keeps them.';
    if (!(await ask({ title: `Discard ${ids.length}?`, detail, verb: 'Discard' }))) return;
    const result = await call('discardDeadLetters', { body: { ids } });
    setProblem(result.ok ? null : result.problem);
    if (result.ok) {
      setRedriven((old) => old.filter(({ letter }) => !ids.includes(letter.id)));
      setChosen(new Set());
    }
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
      <div role="status" aria-label="Results of redrives">
        {redriven.length > 0 && (
          <ul>
            {redriven.map((each) => (
              <li key={each.letter.id}>
                {each.letter.projector}: {each.letter.type} (number {each.letter.id}){' '}
                {outcomeOf(
                  each,
                  letters.find(({ id }) => id === each.letter.id),
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      <ul class="letters">
        {letters.map((letter) => (
          <OneLetter
            key={letter.id}
            letter={letter}
            isChosen={chosen.has(letter.id)}
            onChoose={() => choose(letter.id)}
            onRedrive={() => void redrive([letter.id])}
          />
        ))}
      </ul>
      {letters.length > 0 && (
        <div class="buttons">
          <button type="button" onClick={() => setChosen(new Set(letters.map(({ id }) => id)))}>
            Choose all
          </button>
          <button type="button" class="main" disabled={ids.length === 0} onClick={() => void redrive(ids)}>
            Redrive {ids.length}
          </button>
          <button type="button" class="danger" disabled={ids.length === 0} onClick={() => void discard()}>
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

/** A letter as it was when it was redriven. */
type Redriven = { readonly letter: Letter; readonly isSuperseded: boolean };

/** `now`: the letter of the last reading, if it is still there. */
function outcomeOf({ letter, isSuperseded }: Redriven, now: Letter | undefined): string {
  if (isSuperseded) return 'was removed: a later event of the same subject has its whole state.';
  if (now === undefined) return 'was handled: the letter is gone.';
  if (now.awaits_redrive) return 'waits until the projector takes it.';
  if (now.attempts > letter.attempts || now.at !== letter.at) return `failed again: ${reasonInWords(now)}`;
  return 'is being tried.';
}

type LetterProps = {
  readonly letter: Letter;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onRedrive: () => void;
};

function OneLetter({ letter, isChosen, onChoose, onRedrive }: LetterProps) {
  const { id, projector, type, attempts, at, awaits_redrive: awaits } = letter;
  return (
    <li>
      <label>
        <input type="checkbox" checked={isChosen} onChange={onChoose} /> {projector}: {type} (number {id})
      </label>{' '}
      <button type="button" disabled={awaits} onClick={onRedrive}>
        Redrive<span class="hidden"> number {id}</span>
      </button>
      <LetterContent letter={letter} />
      <p>{reasonInWords(letter)}</p>
      <p class="facts">
        Failed {count(attempts, 'time')}, the last time at <Time at={at} />
        {awaits && '; waits for its redrive'}.
      </p>
    </li>
  );
}

/** The event of the journal, and the words of its memory. */
function LetterContent({ letter: { subject, position, event_id: event } }: { readonly letter: Letter }) {
  const reading = useRead(`event ${event}`, (signal) =>
    call('listEvents', { query: { after: position - 1, limit: 1 }, signal }),
  );
  const [found] = reading.body?.events.filter(({ id }) => id === event) ?? [];
  return (
    <>
      {found !== undefined && (
        <p class="content">
          <EventWords event={found as Happening} />
        </p>
      )}
      {subject.split('|').length === 1 && (
        <p class="facts">
          Memory {subject.slice(0, 8)} now: <MemoryWords id={subject} />
        </p>
      )}
      <ProblemNote problem={reading.problem} />
      {found !== undefined && (
        <details>
          <summary>Event</summary>
          <pre tabIndex={0}>{JSON.stringify(found, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

/** An error that is not one of the service's own has its name alone: the rest is in the log. */
function reasonInWords({ reason, projector }: Letter): string {
  const [, name] = /^Unexpected (.+): see the log of the process$/u.exec(reason) ?? [];
  if (name === undefined) return reason;
  return `Unexpected ${name}: the code or an engine failed. The log of the ${projector} has the message.`;
}
