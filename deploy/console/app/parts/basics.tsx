/** Small parts that all views use. All text is a text node, so the content of a memory is never markup. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { observable, useObservable } from '../service/observable.js';
import { hrefOf } from '../service/route.js';
import { isMemoryId, type Problem } from '../service/service.js';
import { ISSUER } from '../service/sign-in.js';
import type { Reading } from '../service/use-read.js';

export function ProblemNote({ problem }: { readonly problem: Problem | null }) {
  if (problem === null) return null;
  const needsToken = problem.status === 401 || problem.status === 403;
  return (
    <div class="note problem" role="alert">
      <p>
        {problem.status === null ? '' : `${problem.status}: `}
        {problem.message}
      </p>
      {needsToken && (
        <p>
          <AccessButton />
        </p>
      )}
    </div>
  );
}

/** Copies a text, which its caller selects on the page as well. `note` says how that ended. */
export function useCopy(): { readonly note: string; readonly copy: (text: string) => Promise<void> } {
  const [note, setNote] = useState('');
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setNote('Copied.');
    } catch {
      // A page by plain HTTP has no clipboard.
      setNote('The browser does not let the page copy it. It is selected: press Ctrl+C, or ⌘C.');
    }
  };
  return { note, copy };
}

export const ACCESS_DIALOG = 'access';

export function openAccess(): void {
  const dialog = document.getElementById(ACCESS_DIALOG);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** Leads a reader whose token is missing, or not enough, to another one. */
export function AccessButton() {
  return (
    <button type="button" onClick={openAccess}>
      {ISSUER === null ? 'Enter a token' : 'Sign in or enter a token'}
    </button>
  );
}

/** What a reading has instead of content: a problem, or grey lines while it loads. */
export function ReadingState<T>({ reading, what }: { readonly reading: Reading<T>; readonly what: string }) {
  if (reading.problem !== null) return <ProblemNote problem={reading.problem} />;
  if (reading.body === null && reading.isLoading) return <Skeleton what={what} />;
  return null;
}

/** Lines in the place of content that is being read. */
export function Skeleton({ what }: { readonly what: string }) {
  return (
    <>
      <p role="status" class="hidden">
        Reading {what} …
      </p>
      <div class="skeleton" aria-busy="true">
        <span />
        <span />
        <span />
      </div>
    </>
  );
}

/** A view without content says what to do first. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="note empty">{children}</div>;
}

export function MemoryLink({ id, children }: { readonly id: string; readonly children?: ComponentChildren }) {
  return (
    <a href={hrefOf('memory', id)} class={children === undefined ? 'id' : undefined} dir="auto">
      {children ?? id}
    </a>
  );
}

/** A subject that is one id is a memory. */
export function Subject({ name }: { readonly name: string }) {
  return isMemoryId(name) ? <MemoryLink id={name} /> : <code>{name}</code>;
}

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul class="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <a href={hrefOf('browse', null, { tag })} dir="auto">
            {tag}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The time relative to now, which follows the clock; the time itself is its title, and for screen readers. */
export function Time({ at }: { readonly at: string }) {
  const milliseconds = Date.parse(at);
  const now = useObservable(clock);
  if (Number.isNaN(milliseconds)) return <time dateTime={at}>{at}</time>;
  const exact = `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(milliseconds, now)}
      <span class="hidden"> ({exact})</span>
    </time>
  );
}

const CLOCK_MS = 5_000;
/** The time of the browser. All times of the page follow it together. */
const clock = observable(Date.now());
setInterval(() => clock.set(Date.now()), CLOCK_MS);

const UNITS = [
  ['y', 31_557_600_000],
  ['mo', 2_629_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;
const JUST_NOW_MS = 10_000;

/** In the largest unit that it fills, such as `3 h ago`. */
function relativeTime(at: number, now: number): string {
  const difference = Math.abs(now - at);
  if (difference < JUST_NOW_MS) return 'just now';
  const [unit, length] = UNITS.find(([, each]) => difference >= each) ?? ['s', 1_000];
  const amount = `${Math.floor(difference / length)} ${unit}`;
  return at > now ? `in ${amount}` : `${amount} ago`;
}

type FieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly isWide?: boolean;
  readonly children: (id: string) => ComponentChildren;
};

let fields = 0;

/** A label above its control. */
export function Field({ label, hint, isWide = false, children }: FieldProps) {
  const [id] = useState(() => `field-${(fields += 1)}`);
  return (
    <div class={isWide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      {children(id)}
      {hint !== undefined && <small>{hint}</small>}
    </div>
  );
}

type ShareProps = Pick<FieldProps, 'label' | 'hint'> & {
  readonly name: string;
  readonly value: string;
  readonly step?: string;
};

/** A number from 0 to 1. */
export function ShareField({ label, name, hint, value, step = 'any' }: ShareProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(id) => <input id={id} name={name} type="number" min="0" max="1" step={step} defaultValue={value} />}
    </Field>
  );
}

/** The days `since` and `until` of a filter. */
export function DayFields({ since = '', until = '' }: { readonly since?: string; readonly until?: string }) {
  const day = (label: string, name: string, value: string) => (
    <Field label={label}>{(id) => <input id={id} name={name} type="date" defaultValue={value} />}</Field>
  );
  return (
    <>
      {day('From', 'since', since)}
      {day('To', 'until', until)}
    </>
  );
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** Of a text with commas between the values. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** Shortened in whole characters. */
export function shorten(text: string, length: number): string {
  const characters = [...text.slice(0, length * 2 + 2)];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}
