/** The live stream: events and activity as they happen, grouped by request, with a line for each gap. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AccessButton, count, Empty, Field, Time } from '../parts/basics.js';
import { type Activity, ActivityWords, EventWords, type Happening, keepWords } from '../parts/event-words.js';
import { watchStream } from '../service/event-stream.js';
import type { Frame } from '../service/frame.js';
import { useObservable } from '../service/observable.js';
import { call, type Problem } from '../service/service.js';
import { tokens } from '../service/session.js';
import { type Group, groupLines, type Line } from './live-groups.js';

/** Older lines are dropped. Of a longer pause, as many events are read. */
const LINES = 500;
const PAGE = 100;

type State = 'opening' | 'open' | 'cut' | 'refused' | 'paused';

const STATES: Readonly<Record<State, string>> = {
  opening: 'Connecting …',
  open: 'Connected: new events appear here.',
  cut: 'The stream is cut. The console tries again.',
  refused: 'The service refused the stream.',
  paused: 'Paused. Events that come now are read from the journal when you resume.',
};

export function LiveView() {
  const { lines, state, clear, pause, resume } = useLines();
  /**
   * What the list shows while the pointer is on it: a line that came between press and release would take the click.
   */
  const [held, setHeld] = useState<readonly Line[] | null>(null);
  const [filter, setFilter] = useState('');

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
        {state === 'refused' && <AccessButton />}
        <button type="button" onClick={state === 'paused' ? resume : pause} disabled={state === 'refused'}>
          {state === 'paused' ? 'Resume' : 'Pause'}
        </button>
        <button type="button" onClick={clear}>
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <Empty>Nothing has happened since this view was opened. Store a memory, or recall one.</Empty>
      ) : (
        <p>
          {count(shown.length, 'line')}, the newest first; below an event is what it caused
          {newer > 0 && `. ${count(newer, 'newer line waits', 'newer lines wait')} until the pointer leaves the list`}.
        </p>
      )}
      <ol class="lines" onPointerEnter={() => setHeld(lines)} onPointerLeave={() => setHeld(null)}>
        {groupLines(shown).map((group) => (
          <OneGroup key={group[0].number} group={group} />
        ))}
      </ol>
    </>
  );
}

type Lines = {
  /** The newest first. */
  readonly lines: readonly Line[];
  readonly state: State;
  readonly clear: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
};

/** Follows the stream. After a pause it first reads from the journal what came meanwhile. */
function useLines(): Lines {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [state, setState] = useState<State>('opening');
  const given = useObservable(tokens);
  const number = useRef(0);
  /** The last event that is in the list, or that was the newest at the beginning. */
  const last = useRef<string | null>(null);
  const end = useRef<() => void>(() => undefined);

  const add = (frame: Frame | null, note: string | null): void => {
    const line = { number: (number.current += 1), frame, note, at: frame?.timestamp ?? new Date().toISOString() };
    if (frame?.id != null) {
      last.current = frame.id;
      keepWords(frame.data as Happening);
    }
    setLines((old) => [line, ...old].slice(0, LINES));
  };

  /** Reads what is missing after `last`, or where the journal ends, and follows the stream from there. */
  const follow = (isResumed: boolean): void => {
    let isEnded = false;
    let endStream = (): void => undefined;
    end.current = () => {
      isEnded = true;
      endStream();
    };
    setState('opening');
    const missed = isResumed && last.current !== null ? readMissed(last.current) : readEnd();
    void missed.then(({ frames, next, note }) => {
      if (isEnded) return;
      if (isResumed && note !== null) add(null, note);
      for (const frame of frames) add(frame, null);
      last.current = next ?? last.current;
      endStream = watchStream(
        {
          onOpen: () => setState('open'),
          onFrame: (frame) => add(frame, gapOf(frame)),
          onCut: (reason, isFinal) => {
            setState(isFinal ? 'refused' : 'cut');
            add(null, isFinal ? reason : `${reason} Events go on where they stopped; activity in between is lost.`);
          },
        },
        next,
      );
    });
  };

  useLayoutEffect(() => {
    setLines([]);
    last.current = null;
    follow(false);
    return () => end.current();
  }, [given]);

  return {
    lines,
    state,
    clear: () => setLines([]),
    pause: () => {
      end.current();
      setState('paused');
    },
    resume: () => follow(true),
  };
}

type Missed = {
  /** The oldest first. */
  readonly frames: readonly Frame[];
  /** Where the stream goes on; null with new events. */
  readonly next: string | null;
  /** What could not be read. */
  readonly note: string | null;
};

async function readEnd(): Promise<Missed> {
  const first = await call('listEvents', { query: { limit: 1 } });
  return { frames: [], next: first.ok ? first.body.head : null, note: 'Events during the pause are not known.' };
}

async function readMissed(after: string): Promise<Missed> {
  const lost = 'Recalls and other activity during the pause are in no journal, so they are not here.';
  const failed = ({ message }: Problem): Missed => ({
    frames: [],
    next: null,
    note: `Events during the pause could not be read: ${message}`,
  });
  const first = await call('listEvents', { query: { after, limit: 1 } });
  if (!first.ok) return failed(first.problem);
  const left = positionOf(first.body.head) - positionOf(after) - LINES;
  const frames: Frame[] = [];
  let next: string | number = left > 0 ? positionOf(first.body.head) - LINES : after;
  for (;;) {
    const page = await call('listEvents', { query: { after: next, limit: PAGE } });
    if (!page.ok) return failed(page.problem);
    for (const event of page.body.events)
      frames.push({ id: String(event.position), type: event.type, timestamp: event.time, data: event });
    next = page.body.next;
    if (next === page.body.head || frames.length >= LINES)
      return {
        frames,
        next,
        note: left > 0 ? `${lost} Nor are the first ${count(left, 'position')} of the journal after it began.` : lost,
      };
  }
}

/** A position in a cursor follows the name of the history; a plain number is a position of the present one. */
function positionOf(cursor: string): number {
  return Number(cursor.split('.').at(-1));
}

function OneGroup({ group: [first, ...caused] }: { readonly group: Group }) {
  return (
    <li class={first.note === null ? undefined : 'gap'}>
      <InWords line={first} />
      {caused.length > 0 && (
        <ol class="caused" aria-label="Caused by it">
          {caused.map((line) => (
            <li key={line.number} class={line.note === null ? undefined : 'gap'}>
              <InWords line={line} />
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

function InWords({ line: { at, frame, note } }: { readonly line: Line }) {
  return (
    <>
      <Time at={at} />{' '}
      {frame !== null && (
        <>
          <span class="chip">{frame.type}</span>{' '}
          {frame.id === null ? (
            <ActivityWords activity={frame.data as Activity} />
          ) : (
            <EventWords event={frame.data as Happening} />
          )}
        </>
      )}
      {note !== null && <span>{note}</span>}
      {frame !== null && (
        <details>
          <summary>Data</summary>
          <pre tabIndex={0}>{JSON.stringify(frame.data, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

function gapOf({ type, data }: Frame): string | null {
  if (type !== 'stream.dropped') return null;
  return `This client was too slow and missed frames: ${JSON.stringify(data)}`;
}
