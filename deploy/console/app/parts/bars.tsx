/**
 * Drawings of numbers: the stacked bar of a score or of the stages of a recall, and the line of a lag. The numbers are
 * also given as text.
 */

export type Part = { readonly name: string; readonly value: number };

const COLOURS = 10;

/** Each name has one colour on the whole page. */
export function colourOf(name: string, names: readonly string[]): string {
  return `colour-${Math.max(0, names.indexOf(name)) % COLOURS}`;
}

/** Penalties are to the left of zero; `lowest` and `highest` are the values at both ends. */
export function StackedBar({
  parts,
  lowest = 0,
  highest,
  names,
  label,
}: {
  readonly parts: readonly Part[];
  readonly lowest?: number;
  readonly highest: number;
  readonly names: readonly string[];
  readonly label: string;
}) {
  const scale = highest > lowest ? 100 / (highest - lowest) : 0;
  const zero = -lowest * scale;
  let left = zero;
  let right = zero;
  return (
    <svg class="bar" role="img" aria-label={label} viewBox="0 0 100 10" preserveAspectRatio="none">
      <rect class="track" width="100" height="10" />
      {parts
        .filter(({ value }) => value !== 0)
        .map(({ name, value }) => {
          const width = Math.abs(value) * scale;
          const x = value > 0 ? right : left - width;
          if (value > 0) right += width;
          else left -= width;
          return (
            <rect key={name} class={colourOf(name, names)} x={x} width={width} height="10">
              <title>{`${name}: ${value.toFixed(3)}`}</title>
            </rect>
          );
        })}
      {lowest < 0 && <line class="zero" x1={zero} x2={zero} y2="10" vector-effect="non-scaling-stroke" />}
    </svg>
  );
}

type Entry = { readonly name: string; readonly figure?: string };

export function Legend({ entries, label }: { readonly entries: readonly Entry[]; readonly label: string }) {
  const names = entries.map(({ name }) => name);
  return (
    <ul class="legend" aria-label={label}>
      {entries.map(({ name, figure = '' }) => (
        <li key={name}>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class={colourOf(name, names)} width="10" height="10" />
          </svg>
          {name}
          {figure !== '' && ` ${figure}`}
        </li>
      ))}
    </ul>
  );
}

export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const highest = Math.max(...values, 1);
  const step = values.length > 1 ? 100 / (values.length - 1) : 0;
  const points = values.map((value, index) => `${index * step},${19 - (value / highest) * 18}`).join(' ');
  return (
    <svg class="spark" role="img" aria-label={label} viewBox="0 0 100 20" preserveAspectRatio="none">
      <polyline points={points} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
