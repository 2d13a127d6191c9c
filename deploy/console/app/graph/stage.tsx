/** The drawing with its buttons and keys. The list below it has the same content without a drawing. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useObservable } from '../service/observable.js';
import { recoveries } from '../service/service.js';
import { scheme } from '../service/session.js';
import type { Direction, Drawing } from './drawing.js';
import type { Shown } from './picture.js';

const ZOOM = 1.5;
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};
const KEYS_TEXT = 'stage-keys';

type StageProps = {
  readonly shown: Shown;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly onExpand: (id: string) => void;
};

export function Stage({ shown, selected, onSelect, onExpand }: StageProps) {
  const container = useRef<HTMLDivElement>(null);
  const made = useRef<Drawing | null>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [problem, setProblem] = useState('');
  const recovered = useObservable(recoveries);
  const [isMoving, setIsMoving] = useState(false);
  /** The last direction, if no neighbour is there. */
  const [end, setEnd] = useState<Direction | null>(null);
  const pick = useRef<(id: string | null) => void>(onSelect);
  pick.current = (id) => {
    onSelect(id);
    if (id !== null) onExpand(id);
  };

  // Again when the service recovers, if its file could not be loaded.
  useEffect(() => {
    if (made.current !== null) return undefined;
    let isGone = false;
    const make = async (): Promise<void> => {
      const { createDrawing } = await import('./drawing.js');
      if (isGone || container.current === null) return;
      const options = { container: container.current, onPick: (id: string | null) => pick.current(id) };
      made.current = createDrawing({ ...options, onMoving: setIsMoving });
      setDrawing(made.current);
      setProblem('');
    };
    make().catch(() => setProblem('There is no drawing: this browser offers no WebGL, or the service did not answer.'));
    return () => {
      isGone = true;
    };
  }, [recovered]);
  useEffect(() => () => made.current?.close(), []);
  useEffect(() => drawing?.show(shown), [drawing, shown]);
  useEffect(() => drawing?.select(selected), [drawing, selected]);
  useLayoutEffect(() => setEnd(null), [selected]);
  useRecolour(drawing);

  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actionOf(event.key);
    if (act === null) return;
    event.preventDefault();
    act();
  };
  const actionOf = (key: string): (() => void) | null => {
    const direction = DIRECTIONS[key];
    if (direction !== undefined)
      return () => {
        const next = drawing?.neighbourTowards(selected, direction) ?? null;
        setEnd(next === null ? direction : null);
        if (next !== null) onSelect(next);
      };
    if (key === '+' || key === '=') return () => drawing?.zoom(ZOOM);
    if (key === '-') return () => drawing?.zoom(1 / ZOOM);
    if (key === '0') return () => drawing?.fit();
    if (key === 'Escape') return () => onSelect(null);
    if (key === 'Enter' && selected !== null) return () => onExpand(selected);
    return null;
  };

  const name = shown.nodes.find(({ id }) => id === selected);
  const associations = shown.edges.filter(({ source, target }) => source === selected || target === selected).length;
  return (
    <div class="drawing">
      {problem !== '' && (
        <p class="note problem" role="alert">
          {problem} The list below has the same content.
        </p>
      )}
      <div
        ref={container}
        class="stage"
        tabIndex={0}
        role="application"
        aria-label="Drawing of the graph"
        aria-describedby={KEYS_TEXT}
        onKeyDown={press}
      />
      <div class="buttons">
        <button type="button" onClick={() => drawing?.zoom(ZOOM)}>
          Zoom in
        </button>
        <button type="button" onClick={() => drawing?.zoom(1 / ZOOM)}>
          Zoom out
        </button>
        <button type="button" onClick={() => drawing?.fit()}>
          Fit
        </button>
        <small class="arranging">{isMoving ? 'Arranging …' : ''}</small>
      </div>
      <small id={KEYS_TEXT}>
        A click selects a memory and adds its neighbours. Keys: arrows go to a neighbour, Enter adds its neighbours, +
        and − zoom, 0 fits, Escape clears the selection.
      </small>
      <p role="status" class="hidden">
        {end !== null && `No neighbour in this direction: ${end}. `}
        {name !== undefined && `Selected: ${name.content}, ${name.type}, ${associations} associations in the picture.`}
      </p>
    </div>
  );
}

/** The canvas does not follow the style sheet. */
function useRecolour(drawing: Drawing | null): void {
  const chosen = useObservable(scheme);
  useEffect(() => {
    drawing?.recolour();
    const preference = matchMedia('(prefers-color-scheme: dark)');
    const recolour = (): void => drawing?.recolour();
    preference.addEventListener('change', recolour);
    return () => preference.removeEventListener('change', recolour);
  }, [drawing, chosen]);
}
