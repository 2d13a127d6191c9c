/**
 * Memories over time as bars, in which a range is chosen: by dragging over the bars, or by two sliders with the
 * keyboard. Each slider names its part of time and the number of memories in it.
 */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { count } from './basics.js';

type Facets = NonNullable<ReplyOf<'listMemories'>['facets']>;
type Unit = Facets['times']['unit'];
/** Days, the last one inclusive; empty: no bound. */
export type Days = { readonly since: string; readonly until: string };
/** A bar. */
type Part = { readonly from: string; readonly to: string; readonly count: number };
type Range = readonly [first: number, last: number];

const DAY_MS = 86_400_000;
/** Beyond this number of bars, parts without a memory have none. */
const BARS_LIMIT = 200;
const [WIDTH, HEIGHT] = [100, 24] as const;

type TimelineProps = {
  readonly facets: Pick<Facets, 'times' | 'counted' | 'total' | 'is_partial'>;
  /** The range of the address, whose memories the bars count. */
  readonly chosen: Days;
  readonly onChoose: (days: Days) => void;
};

export function Timeline({ facets, chosen, onChoose }: TimelineProps) {
  const { times, counted, total, is_partial: isPartial } = facets;
  const parts = useMemo(() => partsOf(times), [times]);
  const isBounded = chosen.since !== '' || chosen.until !== '';
  if (parts.length < 2 && !isBounded) return null;
  return (
    <section class="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Memories by {times.unit}</h2>
      {parts.length === 0 && <p>No memories in this time.</p>}
      {parts.length > 0 && <Brush key={JSON.stringify(times)} {...{ parts, onChoose }} unit={times.unit} />}
      {isBounded && (
        <div class="buttons">
          <button type="button" onClick={() => onChoose({ since: '', until: '' })}>
            All times
          </button>
        </div>
      )}
      {(isPartial || counted < total) && (
        <small>The bars count the first {counted.toLocaleString('en')} memories of the list.</small>
      )}
    </section>
  );
}

type BrushProps = {
  readonly parts: readonly Part[];
  readonly unit: Unit;
  readonly onChoose: (days: Days) => void;
};

function Brush({ parts, unit, onChoose }: BrushProps) {
  const last = parts.length - 1;
  const [range, setRange] = useState<Range>([0, last]);
  /** The bar where the pointer went down. */
  const [anchor, setAnchor] = useState<number | null>(null);
  const bars = useRef<SVGSVGElement>(null);
  const highest = Math.max(...parts.map((part) => part.count));
  const step = WIDTH / parts.length;

  const barAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = bars.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * parts.length)));
  };
  const choose = ([first, end]: Range): void =>
    onChoose({ since: parts[first]?.from ?? '', until: parts[end]?.to ?? '' });
  const press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const bar = barAt(event);
    bars.current?.setPointerCapture(event.pointerId);
    setAnchor(bar);
    setRange([bar, bar]);
  };
  const drag = (event: PointerEvent): void => {
    if (anchor === null) return;
    const bar = barAt(event);
    setRange([Math.min(anchor, bar), Math.max(anchor, bar)]);
  };
  const release = (): void => {
    if (anchor === null) return;
    setAnchor(null);
    choose(range);
  };
  const cancel = (): void => {
    setAnchor(null);
    setRange([0, last]);
  };

  const [first, end] = range;
  const inRange = parts.slice(first, end + 1).reduce((sum, part) => sum + part.count, 0);
  const words = `${spanOf(parts[first], parts[end])}: ${count(inRange, 'memory', 'memories')}`;
  const most = parts.reduce((best, part) => (part.count > best.count ? part : best));
  const slider = (label: string, value: number, move: (to: number) => Range) => (
    <label>
      <span>{label}</span>
      <input
        type="range"
        min="0"
        max={last}
        step="1"
        value={value}
        aria-valuetext={`${spanOf(parts[value], parts[value])}: ${count(parts[value]?.count ?? 0, 'memory', 'memories')}`}
        onInput={(event) => setRange(move(Number(event.currentTarget.value)))}
        onKeyDown={(event) => event.key === 'Enter' && choose(range)}
      />
    </label>
  );
  return (
    <>
      <svg
        ref={bars}
        class="brush"
        role="img"
        aria-label={`Memories by ${unit}, ${spanOf(parts[0], parts[last])}. Most: ${spanOf(most, most)}, ${count(most.count, 'memory', 'memories')}.`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerDown={press}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={cancel}
      >
        <rect class="chosen" x={first * step} y={0} width={(end - first + 1) * step} height={HEIGHT} />
        {parts.map((part, index) => {
          const height = (part.count / highest) * HEIGHT;
          return (
            <rect key={part.from} class="day" x={index * step} y={HEIGHT - height} width={step * 0.8} height={height}>
              <title>{`${spanOf(part, part)}: ${part.count.toLocaleString('en')}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="sliders">
        {slider('First', first, (to) => [to, Math.max(to, end)])}
        {slider('Last', end, (to) => [Math.min(first, to), to])}
      </div>
      <div class="line">
        <p role="status">{words}</p>
        <button type="button" disabled={first === 0 && end === last} onClick={() => choose(range)}>
          Use this time
        </button>
      </div>
    </>
  );
}

function spanOf(first: Part | undefined, last: Part | undefined): string {
  const [from, to] = [first?.from ?? '', last?.to ?? ''];
  return from === to ? from : `${from} to ${to}`;
}

/** All parts from the first to the last, also those without a memory. */
function partsOf({ unit, counts }: Facets['times']): readonly Part[] {
  const known = counts.map(({ from, count: number }) => ({ from, to: endOf(from, unit), count: number }));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const byFrom = new Map(known.map((part) => [part.from, part]));
  const filled: Part[] = [];
  for (let from = first.from; from <= last.from && filled.length <= BARS_LIMIT;) {
    const to = endOf(from, unit);
    filled.push(byFrom.get(from) ?? { from, to, count: 0 });
    from = dayAfter(to);
  }
  return filled.length > BARS_LIMIT ? known : filled;
}

/** The last day of the part that begins with this one. */
function endOf(from: string, unit: Unit): string {
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number);
  switch (unit) {
    case 'day':
      return from;
    case 'week':
      return dateOf(year, month, day + 6);
    case 'month':
      return dateOf(year, month + 1, 0);
    case 'year':
      return dateOf(year, 12, 31);
  }
}

/** `month`: from 1. */
function dateOf(year: number, month: number, day: number): string {
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  return time.toISOString().slice(0, 10);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}
