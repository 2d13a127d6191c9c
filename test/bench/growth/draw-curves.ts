/** Draws curves over the number of memories as one SVG, readable on a light and on a dark page. */
export type Curve = {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly points: readonly (readonly [x: number, y: number])[] }[];
};

const COLUMNS = 2;
const [WIDTH, HEIGHT] = [360, 220] as const;
/** Around the plot, for the title, the ticks and the labels at the ends of the lines. */
const [TOP, RIGHT, BOTTOM, LEFT] = [34, 62, 28, 52] as const;
const COLORS = ['#2f6fde', '#c2571a'] as const;
const INK = '#808890';

/** In rows of two. The numbers of memories are on a logarithmic scale, the values on one from 0. */
export function drawCurves(curves: readonly Curve[]): string {
  const [width, height] = [COLUMNS * WIDTH, Math.ceil(curves.length / COLUMNS) * HEIGHT];
  const plots = curves.map((curve, index) => {
    const [x, y] = [(index % COLUMNS) * WIDTH, Math.floor(index / COLUMNS) * HEIGHT];
    return `<g transform="translate(${x} ${y})">${plot(curve)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11" fill="${INK}">
${plots.join('\n')}
</svg>
`;
}

function plot({ title, lines }: Curve): string {
  const points = lines.flatMap((line) => line.points);
  const sizes = [...new Set(points.map(([x]) => x))].sort((one, other) => one - other);
  const [least, most] = [Math.log(sizes[0] ?? 1), Math.log(sizes.at(-1) ?? 1)];
  const step = stepFor(Math.max(...points.map(([, y]) => y)));
  const top = Math.ceil(Math.max(...points.map(([, y]) => y)) / step) * step;
  const xOf = (size: number): number =>
    round(LEFT + ((Math.log(size) - least) / (most - least || 1)) * (WIDTH - LEFT - RIGHT));
  const yOf = (value: number): number => round(HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM));
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => round(index * step));
  return [
    text(LEFT, 18, title, 'font-weight="bold"'),
    ...ticks.map((value) => {
      const y = yOf(value);
      const line = `<path d="M${LEFT} ${y}H${WIDTH - RIGHT}" stroke="${INK}" stroke-opacity="0.3"/>`;
      return line + text(LEFT - 6, y + 4, value.toLocaleString('en'), 'text-anchor="end"');
    }),
    ...sizes.map((size) => text(xOf(size), HEIGHT - 10, shortNumber(size), 'text-anchor="middle"')),
    ...lines.map(({ label, points: own }, index) => {
      const color = COLORS[index % COLORS.length] ?? INK;
      const places = own.map(([x, y]) => [xOf(x), yOf(y)] as const);
      const dots = places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2.5" fill="${color}"/>`).join('');
      const path = `<path d="M${places.map((place) => place.join(' ')).join('L')}" fill="none" stroke="${color}" stroke-width="2"/>`;
      const [x, y] = places.at(-1) ?? [LEFT, HEIGHT];
      return path + dots + text(x + 6, y + 4, label, `fill="${color}"`);
    }),
  ].join('\n');
}

/** 1, 2 or 5 times a power of ten, so that there are three to six ticks. */
function stepFor(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 3 || 1));
  return ([5, 2].find((factor) => factor * power <= most / 3) ?? 1) * power;
}

function shortNumber(size: number): string {
  return size >= 1_000_000 ? `${size / 1_000_000}M` : size >= 1_000 ? `${size / 1_000}k` : String(size);
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
