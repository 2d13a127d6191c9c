/**
 * Charts of values over time. A chart is one picture with a sentence; a table or the text next to it has the numbers.
 * A value that is not known is a gap.
 */
import { useState } from 'preact/hooks';

export type Series = {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly look: 'first' | 'second';
};

const [WIDTH, HEIGHT] = [100, 40] as const;

type LinesProps = {
  readonly series: readonly Series[];
  readonly label: string;
  /** The highest value in words, at the upper end of the chart. */
  readonly wordsOf: (highest: number) => string;
  readonly ends: readonly [first: string, last: string];
};

export function Lines({ series, label, wordsOf, ends }: LinesProps) {
  const highest = highestOf(series.flatMap(({ values }) => values));
  return (
    <figure class="chart">
      <small>{wordsOf(highest)}</small>
      <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {series.map(({ name, values, look }) => {
          const { line, dots } = pathsOf(values, highest);
          return (
            <g key={name} class={`line-${look}`}>
              <path d={line} vector-effect="non-scaling-stroke" />
              <path class="dots" d={dots} vector-effect="non-scaling-stroke" />
            </g>
          );
        })}
      </svg>
      <Ends ends={ends} />
      {series.length > 1 && (
        <ul class="legend" aria-label="Lines of the chart">
          {series.map(({ name, look }) => (
            <li key={name}>
              <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                <g class={`line-${look}`}>
                  <path d="M0 5H10" />
                </g>
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

/** A value without neighbours is a dot. */
function pathsOf(
  values: readonly (number | null)[],
  highest: number,
): { readonly line: string; readonly dots: string } {
  const step = WIDTH / Math.max(1, values.length - 1);
  const isGap = (index: number): boolean => (values[index] ?? null) === null;
  let [line, dots] = ['', ''];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const point = `${(index * step).toFixed(2)} ${(HEIGHT - 1 - (value / highest) * (HEIGHT - 2)).toFixed(2)}`;
    if (isGap(index - 1) && isGap(index + 1)) dots += `M${point}h0`;
    else line += `${isGap(index - 1) ? 'M' : 'L'}${point}`;
  }
  return { line, dots };
}

type DaysProps = {
  readonly days: readonly { readonly date: string; readonly count: number }[];
  readonly label: string;
};

/** A bar for each day; its number is above the chart while the pointer is over the day. */
export function Days({ days, label }: DaysProps) {
  const [shown, setShown] = useState('');
  const highest = highestOf(days.map(({ count }) => count));
  const step = WIDTH / Math.max(1, days.length);
  return (
    <figure class="chart">
      <small>{shown === '' ? `${highest.toLocaleString('en')} a day` : shown}</small>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerLeave={() => setShown('')}
      >
        {days.map(({ date, count }, index) => {
          const height = (count / highest) * HEIGHT;
          const text = `${date}: ${count.toLocaleString('en')}`;
          const [x, width] = [index * step, step * 0.8];
          return (
            <g key={date} onPointerEnter={() => setShown(text)}>
              <title>{text}</title>
              <rect class="day" x={x} y={HEIGHT - height} width={width} height={height} />
              <rect class="day-area" x={x} width={step} height={HEIGHT} />
            </g>
          );
        })}
      </svg>
      <Ends ends={[days[0]?.date ?? '', days.at(-1)?.date ?? '']} />
    </figure>
  );
}

function Ends({ ends: [first, last] }: { readonly ends: readonly [string, string] }) {
  return (
    <div class="ends">
      <small>{first}</small>
      <small>{last}</small>
    </div>
  );
}

function highestOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 1);
}
