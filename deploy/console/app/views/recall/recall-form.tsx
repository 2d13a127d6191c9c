/** The form of the recall lab: one set of parameters, or two to compare. */
import { useRef } from 'preact/hooks';
import { Field } from '../../parts/basics.js';
import { Icon } from '../../parts/icon.js';
import { goTo, hrefOf } from '../../service/route.js';
import { type Given, parametersOf } from './recalled.js';

/** `limit` and flags are read by the service in the same form. */
const FILTERS = ['tags', 'exclude_tags', 'time_query', 'limit', 'sort', 'state_mode', 'expand_relations'] as const;
const SHOWN: readonly string[] = ['query', ...FILTERS];
/** The field with the other parameters, in the form of an address. */
const OTHERS = 'others';

type Props = { readonly first: Given; readonly second: Given | null };

export function RecallForm({ first, second }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const open = (one: Given, other: Given | null): void => goTo(hrefOf('recall', null, parametersOf(one, other)));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    open(read(form.current, 'A'), second === null ? null : read(form.current, 'B'));
  };
  const compare = (): void => {
    const given = read(form.current, 'A');
    open(given, second === null ? given : null);
  };
  return (
    <form ref={form} onSubmit={submit} class="panel" role="search" aria-label="Recall">
      <div class={second === null ? undefined : 'compared'}>
        <ParameterSet given={first} name="A" isNamed={second !== null} />
        {second !== null && <ParameterSet given={second} name="B" isNamed />}
      </div>
      <div class="buttons">
        <button type="submit" class="main">
          <Icon name="recall" /> Recall
        </button>
        <button type="button" onClick={compare}>
          {second === null ? 'Compare' : 'Close B'}
        </button>
      </div>
    </form>
  );
}

type SetName = 'A' | 'B';

const fieldOf = (set: SetName, name: string): string => (set === 'A' ? name : `b.${name}`);

/** The parameters that the form has in one of its sets. */
function read(form: HTMLFormElement | null, set: SetName): Given {
  const data = new FormData(form ?? undefined);
  const textAt = (name: string): string => String(data.get(fieldOf(set, name)) ?? '').trim();
  const shown = SHOWN.map((name) => [name, textAt(name)] as const).filter(([, value]) => value !== '');
  const others = [...new URLSearchParams(textAt(OTHERS))].filter(([, value]) => value !== '');
  return { ...Object.fromEntries(others), ...Object.fromEntries(shown) };
}

type SetProps = { readonly given: Given; readonly name: SetName; readonly isNamed: boolean };

function ParameterSet({ given, name: set, isNamed }: SetProps) {
  const others = Object.entries(given).filter(([name]) => !SHOWN.includes(name));
  const labelled = (label: string): string => (isNamed ? `${label} (${set})` : label);
  const text = (name: string, label: string, hint?: string) => (
    <Field label={labelled(label)} {...(hint === undefined ? {} : { hint })}>
      {(id) => <input id={id} name={fieldOf(set, name)} defaultValue={given[name] ?? ''} />}
    </Field>
  );
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <Field label={labelled(label)}>
      {(id) => (
        <select id={id} name={fieldOf(set, name)} defaultValue={given[name] ?? ''}>
          {options.map(([value, shown]) => (
            <option key={value} value={value} selected={value === (given[name] ?? '')}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <div>
      <Field label={labelled('Query')} isWide hint="Leave it empty to list trending memories.">
        {(id) => <input id={id} name={fieldOf(set, 'query')} type="search" defaultValue={given['query'] ?? ''} />}
      </Field>
      <details open={isNamed || Object.keys(given).some((name) => name !== 'query')}>
        <summary>Filters</summary>
        <div class="fields">
          {text('tags', 'Tags', 'Separated by commas.')}
          {text('exclude_tags', 'Without tags')}
          {text('time_query', 'Time', 'Such as “last 7 days”.')}
          {text('limit', 'Results')}
          {choice('sort', 'Order', [
            ['', 'Best first'],
            ['time_desc', 'Newest first'],
            ['time_asc', 'Oldest first'],
            ['updated_desc', 'Last changed first'],
          ])}
          {choice('state_mode', 'Versions of facts', [
            ['', 'Current ones'],
            ['history', 'Replaced ones, too'],
          ])}
          {choice('expand_relations', 'Associated memories', [
            ['', 'No'],
            ['true', 'Add them'],
          ])}
        </div>
        <Field label={labelled('Other parameters')} isWide hint="As in an address: recency_bias=on&min_score=0.2">
          {(id) => <input id={id} name={fieldOf(set, OTHERS)} defaultValue={new URLSearchParams(others).toString()} />}
        </Field>
      </details>
    </div>
  );
}
