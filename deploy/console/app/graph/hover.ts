/** The node under the pointer, or the selected one, over the picture: with a ring, and its label on a plate. */
import { type Place, placesOf } from './place-labels.js';

export const LABEL_FONT = '12px system-ui, sans-serif';

export type Colours = { readonly text: string; readonly back: string; readonly line: string };

type Hovered = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly label: string | null;
  readonly color: string;
};

type HoverOptions = {
  readonly colours: Colours;
  /** Of the label in the picture, which the plate covers. */
  readonly place: Place | undefined;
  readonly area: { readonly width: number; readonly height: number };
};

/** In the colours of the page. */
export function drawHover(
  context: CanvasRenderingContext2D,
  { x, y, size, label, color }: Hovered,
  { colours, place, area }: HoverOptions,
): void {
  context.beginPath();
  context.arc(x, y, size + 3, 0, 2 * Math.PI);
  context.fillStyle = colours.text;
  context.fill();
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
  if (label === null) return;
  context.font = LABEL_FONT;
  const { width } = context.measureText(label);
  const { left, baseline } = place ??
    placesOf({ x, y, size: size + 4, width }, area)[0] ?? { left: x + size, baseline: y };
  context.fillStyle = colours.back;
  context.strokeStyle = colours.line;
  context.beginPath();
  context.rect(left - 4, baseline - 15, width + 8, 22);
  context.fill();
  context.stroke();
  context.fillStyle = colours.text;
  context.fillText(label, left, baseline);
}
