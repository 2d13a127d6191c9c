/** Where the labels of the drawing are: at their nodes, within the picture, and never one over another. */

/** In pixels. */
export type Label = {
  readonly key: string;
  readonly text: string;
  readonly width: number;
  /** Centre and radius of its node. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Comes before the others. */
  readonly isFirst: boolean;
};

export type Place = { readonly left: number; readonly baseline: number };
export type PlacedLabel = Label & Place;
type Area = { readonly width: number; readonly height: number };

const GAP = 4;
/** Of the letters above and below the baseline, at 12 pixels. */
const ABOVE = 11;
const BELOW = 4;

/** Of two labels without room for both, the one of the larger node is placed. */
export function placeLabels(labels: readonly Label[], area: Area): readonly PlacedLabel[] {
  const ordered = [...labels].sort((one, next) => Number(next.isFirst) - Number(one.isFirst) || next.size - one.size);
  const placed: PlacedLabel[] = [];
  for (const label of ordered) {
    const place = placesOf(label, area).find((each) => !placed.some((other) => overlap({ ...label, ...each }, other)));
    if (place !== undefined) placed.push({ ...label, ...place });
  }
  return placed;
}

/** To the right of the node, to the left, below and above; without those that the border would cut. */
export function placesOf({ x, y, size, width }: Omit<Label, 'key' | 'text' | 'isFirst'>, area: Area): readonly Place[] {
  if (x < 0 || x > area.width || y < 0 || y > area.height) return [];
  const middle = Math.max(0, Math.min(area.width - width, x - width / 2));
  const far = size + GAP;
  return [
    { left: x + far, baseline: y + BELOW },
    { left: x - far - width, baseline: y + BELOW },
    { left: middle, baseline: y + far + ABOVE },
    { left: middle, baseline: y - far - BELOW },
  ].filter(
    ({ left, baseline }) =>
      left >= 0 && left + width <= area.width && baseline >= ABOVE && baseline + BELOW <= area.height,
  );
}

function overlap(one: Place & { readonly width: number }, other: Place & { readonly width: number }): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    Math.abs(one.baseline - other.baseline) < ABOVE + BELOW
  );
}
