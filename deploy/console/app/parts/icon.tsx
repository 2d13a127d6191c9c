import { ICON_SHAPES } from './icon-shapes.js';

export type IconName = keyof typeof ICON_SHAPES;

/** Decoration next to a text, or in a control with a name of its own. */
export function Icon({ name }: { readonly name: IconName }) {
  // The shapes are constants of the bundle, never content of the service.
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" dangerouslySetInnerHTML={{ __html: ICON_SHAPES[name] }} />
  );
}
