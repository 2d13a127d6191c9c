/**
 * The command palette (Ctrl K, or ⌘K) and the shortcuts: to a view, to a memory by its id, to a recall of words. No
 * shortcut acts while the user types, or while a dialog is open; Ctrl K also acts in a field.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { observable, useObservable } from '../service/observable.js';
import { goTo, hrefOf, type View, VIEWS } from '../service/route.js';
import { isMemoryId } from '../service/service.js';
import { type Scheme, setScheme } from '../service/session.js';
import { openAccess } from './basics.js';
import { Icon, type IconName } from './icon.js';

/** After `g`. */
const LETTERS: Readonly<Record<string, string>> = {
  overview: 'o',
  recall: 'r',
  memory: 'm',
  browse: 'b',
  graph: 'g',
  entities: 'e',
  live: 'l',
  work: 'w',
  webhooks: 'h',
  keys: 'k',
  tenants: 't',
  health: 's',
};
/** Between `g` and the letter. */
const PAUSE_MS = 1_500;
const SCHEMES: Readonly<Record<Scheme, string>> = { dark: 'Dark', light: 'Light', auto: 'Automatic' };

type DialogName = 'palette' | 'shortcuts';
const shownDialog = observable<DialogName | null>(null);

type Titles = { readonly titles: Readonly<Record<View, string>> };
type Command = { readonly name: string; readonly icon: IconName; readonly keys?: string; readonly run: () => void };

export function openPalette(): void {
  open('palette');
}

function open(name: DialogName): void {
  if (document.querySelector('dialog[open]') === null) shownDialog.set(name);
}

/** The properties of a dialog that is open while it is rendered. */
function useShown(name: DialogName) {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the next key, which is meant for the dialog.
  useLayoutEffect(() => ref.current?.showModal(), []);
  const onClose = (): void => {
    if (shownDialog.get() === name) shownDialog.set(null);
  };
  return { ref, onClose };
}

function commandsFor(text: string, titles: Titles['titles']): readonly Command[] {
  const all: readonly Command[] = [
    ...VIEWS.map((view): Command => ({
      name: `Go to ${titles[view]}`,
      icon: view,
      run: () => goTo(hrefOf(view)),
      ...(LETTERS[view] !== undefined && { keys: `g ${LETTERS[view]}` }),
    })),
    ...(Object.keys(SCHEMES) as Scheme[]).map((each): Command => ({
      name: `Colours: ${SCHEMES[each]}`,
      icon: 'scheme',
      run: () => setScheme(each),
    })),
    { name: 'Tokens, and sign out', icon: 'tokens', run: openAccess },
    { name: 'Show the shortcuts', icon: 'commands', keys: '?', run: () => shownDialog.set('shortcuts') },
  ];
  if (text === '') return all;
  const words = text.toLowerCase().split(/\s+/u);
  const recall: Command = {
    name: `Recall “${text}”`,
    icon: 'recall',
    run: () => goTo(hrefOf('recall', null, { query: text })),
  };
  return [
    ...(isMemoryId(text)
      ? [{ name: `Open the memory ${text}`, icon: 'memory', run: () => goTo(hrefOf('memory', text)) } as const]
      : []),
    ...all.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))),
    recall,
  ];
}

export function Palette({ titles }: Titles) {
  const name = useObservable(shownDialog);
  useShortcuts();
  if (name === null) return null;
  return name === 'palette' ? <Commands titles={titles} /> : <Shortcuts titles={titles} />;
}

function Commands({ titles }: Titles) {
  const dialog = useShown('palette');
  const list = useId();
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState(0);
  const commands = commandsFor(text.trim(), titles);
  const active = Math.min(wanted, commands.length - 1);
  const idOf = (index: number): string => `${list}-${index}`;
  useEffect(() => document.getElementById(idOf(active))?.scrollIntoView({ block: 'nearest' }), [active]);

  const run = (command: Command | undefined): void => {
    dialog.ref.current?.close(); // before a command opens another dialog
    command?.run();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1 + commands.length,
      Home: 0,
      End: commands.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined) run(commands[active]);
    else setWanted(next % commands.length);
  };
  return (
    <dialog {...dialog} class="palette" aria-label="Commands">
      <input
        role="combobox"
        aria-label="Command"
        placeholder="A view, words to recall, or the id of a memory"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={idOf(active)}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setWanted(0);
        }}
        onKeyDown={press}
      />
      <ul id={list} role="listbox" aria-label="Commands">
        {commands.map((command, index) => (
          <li
            key={command.name}
            id={idOf(index)}
            role="option"
            aria-selected={index === active}
            onPointerMove={() => setWanted(index)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span>{command.name}</span>
            {command.keys !== undefined && <kbd>{command.keys}</kbd>}
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function Shortcuts({ titles }: Titles) {
  const rows = [
    ['Ctrl K or ⌘K', 'Commands'],
    ['/', 'To the search field of the view'],
    ['?', 'This list'],
    ...VIEWS.flatMap((view) => (LETTERS[view] === undefined ? [] : [[`g ${LETTERS[view]}`, titles[view]]])),
  ];
  return (
    <dialog {...useShown('shortcuts')} aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Shortcuts</h2>
      <dl class="shortcuts">
        {rows.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" class="buttons">
        <button type="submit" class="main">
          Close
        </button>
      </form>
    </dialog>
  );
}

function useShortcuts(): void {
  useEffect(() => {
    let pressedG = -Infinity;
    const press = (event: KeyboardEvent): void => {
      const { key } = event;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        return openPalette();
      }
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
      if (!isPlain || event.defaultPrevented || isTyping(event.target)) return;
      const view = VIEWS.find((each) => LETTERS[each] === key);
      const isAfterG = event.timeStamp - pressedG < PAUSE_MS;
      pressedG = key === 'g' && !isAfterG ? event.timeStamp : -Infinity;
      if (isAfterG && view !== undefined) goTo(hrefOf(view));
      else if (key === '?') open('shortcuts');
      else if (key === '/') {
        event.preventDefault(); // it would type itself into the field
        const field = document.querySelector<HTMLElement>('main input[type="search"]');
        if (field === null) openPalette();
        else field.focus();
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const WITHOUT_TEXT = new Set(['checkbox', 'radio', 'range', 'file', 'button', 'submit']);

/** Also true while a dialog is open: its keys are its own. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select'));
}
