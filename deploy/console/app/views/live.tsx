/** The live stream: events and activity as they happen, with a line for each gap. */
import { useEffect, useState } from 'preact/hooks';
import { count, Empty, Field, Subject, Time } from '../parts/basics.js';
import { type Frame, watchStream } from '../service/event-stream.js';
import { useObservable } from '../service/observable.js';
import { hrefOf } from '../service/route.js';
import { tokens } from '../service/session.js';

/** Older lines are dropped. */
const LINES = 500;

type Line = { readonly number: number; readonly frame: Frame | null; readonly gap: string | null; readonly at: string };
type State = 'opening' | 'open' | 'cut' | 'refused';

const STATES: Readonly<Record<State, string>> = {
  opening: 'Connecting …',
  open: 'Connected: new events appear here.',
  cut: 'The stream is cut. The console tries again.',
  refused: 'The service refused the stream.',
};

export function LiveView() {
  const [lines, setLines] = useState<readonly Line[]>([]);
  /**
   * What the list shows while the pointer is on it: a line that came between press and release would take the click.
   */
  const [held, setHeld] = useState<readonly Line[] | null>(null);
  const [state, setState] = useState<State>('opening');
  const [filter, setFilter] = useState('');
  const given = useObservable(tokens);

  useEffect(() => {
    let number = 0;
    const add = (frame: Frame | null, gap: string | null): void => {
      const line = { number: (number += 1), frame, gap, at: frame?.timestamp ?? new Date().toISOString() };
      setLines((old) => [line, ...old].slice(0, LINES));
    };
    setLines([]);
    setState('opening');
    return watchStream({
      onOpen: () => setState('open'),
      onFrame: (frame) => add(frame, gapOf(frame)),
      onCut: (reason, isFinal) => {
        setState(isFinal ? 'refused' : 'cut');
        add(null, isFinal ? reason : `${reason} Events go on where they stopped; activity in between is lost.`);
      },
    });
  }, [given]);

  const types = [...new Set(lines.flatMap(({ frame }) => (frame === null ? [] : [frame.type])))].sort();
  const newer = held === null ? 0 : (lines[0]?.number ?? 0) - (held[0]?.number ?? 0);
  const shown = (held ?? lines).filter(({ frame }) => filter === '' || frame === null || frame.type === filter);
  return (
    <>
      <h1>Live</h1>
      <div class="panel line">
        <p role="status" class={`state ${state}`}>
          {STATES[state]}
        </p>
        <Field label="Type">
          {(id) => (
            <select
              id={id}
              value={filter}
              onChange={(event) => setFilter((event.currentTarget as HTMLSelectElement).value)}
            >
              <option value="">All</option>
              {types.map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" onClick={() => setLines([])}>
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <Empty>Nothing has happened since this view was opened. Store a memory, or recall one.</Empty>
      ) : (
        <p>
          {count(shown.length, 'line')}, the newest first
          {newer > 0 && `. ${count(newer, 'newer line waits', 'newer lines wait')} until the pointer leaves the list.`}
        </p>
      )}
      <ol class="lines" onPointerEnter={() => setHeld(lines)} onPointerLeave={() => setHeld(null)}>
        {shown.map((line) => (
          <li key={line.number} class={line.gap === null ? undefined : 'gap'}>
            <Time at={line.at} />{' '}
            {line.frame !== null && (
              <>
                <span class="chip">{line.frame.type}</span> <SubjectOf data={line.frame.data} />
              </>
            )}
            {line.gap !== null && <span>{line.gap}</span>}
            {line.frame !== null && (
              <details>
                <summary>Data</summary>
                <pre tabIndex={0}>{JSON.stringify(line.frame.data, null, 2)}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Journalled events name their subject, and `webhook.disabled` its webhook. */
function SubjectOf({ data }: { readonly data: unknown }) {
  const { subject, webhook_id: webhook } = data as { readonly subject?: unknown; readonly webhook_id?: unknown };
  if (typeof webhook === 'string') return <a href={hrefOf('webhooks', webhook)}>{webhook}</a>;
  return typeof subject === 'string' ? <Subject name={subject} /> : null;
}

function gapOf({ type, data }: Frame): string | null {
  if (type !== 'stream.dropped') return null;
  return `This client was too slow and missed frames: ${JSON.stringify(data)}`;
}
