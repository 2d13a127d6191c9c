/**
 * Drawings of numbers: the stacked bar of a score, the stages of a recall, and the line of a lag. The numbers are also
 * given as text.
 */

export type Part = { readonly name: string; readonly value: number };

const COLOURS = 10;

/** Each name has one colour on the whole page. */
export function colourOf(name: string, names: readonly string[]): string {
  return `colour-${Math.max(0, names.indexOf(name)) % COLOURS}`;
}

/** `whole`: the value of the full width. */
export function StackedBar({
  parts,
  whole,
  names,
  label,
}: {
  readonly parts: readonly Part[];
  readonly whole: number;
  readonly names: readonly string[];
  readonly label: string;
}) {
  let left = 0;
  const scale = whole > 0 ? 100 / whole : 0;
  return (
    <svg class="bar" role="img" aria-label={label} viewBox="0 0 100 10" preserveAspectRatio="none">
      <rect class="track" width="100" height="10" />
      {parts
        .filter(({ value }) => value > 0)
        .map(({ name, value }) => {
          const x = left;
          left += value * scale;
          return (
            <rect key={name} class={colourOf(name, names)} x={x} width={value * scale} height="10">
              <title>{`${name}: ${value.toFixed(3)}`}</title>
            </rect>
          );
        })}
    </svg>
  );
}

export function Legend({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="legend" aria-label="Colours of the components">
      {names.map((name) => (
        <li key={name}>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class={colourOf(name, names)} width="10" height="10" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Stages of one recall, each with its own length. They may overlap. */
export function StageBars({ stages }: { readonly stages: readonly Part[] }) {
  const longest = Math.max(...stages.map(({ value }) => value), 0.001);
  const names = stages.map(({ name }) => name);
  return (
    <table class="stages">
      <caption>Time of each stage</caption>
      <tbody>
        {stages.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="wide">
              <StackedBar
                parts={[{ name, value }]}
                whole={longest}
                names={names}
                label={`${name}: ${value.toFixed(1)} ms`}
              />
            </td>
            <td class="number">{value.toFixed(1)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
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
