/** Tenants: their state and size; a new one, its first key, its limits, a suspension, a deletion. */
import { useState } from 'preact/hooks';
import { TENANT_NAME_LIMIT, TENANT_REASON_LIMIT } from '../../../../shared/contract/limits.js';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { SCOPE_NAMES } from '../../../../shared/contract/scopes.js';
import { count, Empty, Field, ProblemNote, ReadingState, Time } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { Icon } from '../parts/icon.js';
import { SecretNote } from '../parts/secret-note.js';
import { call, type Problem, type Result } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { type Choice, KeyForm } from './key-form.js';

type Tenant = ReplyOf<'listTenants'>['tenants'][number];
type Deleted = ReplyOf<'deleteTenant'>;

const EVERY_MS = 5_000;
/** A key of a tenant has no rights over tenants. */
const SCOPES_INSIDE = SCOPE_NAMES.filter((scope) => scope !== 'admin:tenants');

const LIMITS = ['requests_per_minute', 'writes_per_minute', 'memories', 'bytes'] as const;

function labelOf(limit: string): string {
  return (limit.slice(0, 1).toUpperCase() + limit.slice(1)).replaceAll('_', ' ');
}

export function TenantsView() {
  const reading = useRead('tenants', (signal) => call('listTenants', { signal }), EVERY_MS);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = textAt(form, 'name');
    const result = await call('createTenant', { body: { name } });
    setProblem(result.ok ? null : result.problem);
    if (result.ok) form.reset();
    reading.again();
  };
  const tenants = reading.body?.tenants ?? [];
  return (
    <>
      <h1>Tenants</h1>
      <section class="panel" aria-label="New tenant">
        <form class="line" onSubmit={(event) => void create(event)}>
          <Field label="Name" hint="Lower-case letters, digits and hyphens">
            {(id) => <input id={id} name="name" required maxLength={TENANT_NAME_LIMIT} autocomplete="off" />}
          </Field>
          <button type="submit" class="main">
            <Icon name="add" /> Make the tenant
          </button>
        </form>
        <ProblemNote problem={problem} />
      </section>
      <div role="status">
        {deleted !== null && (
          <div class="note">
            <p>{deleted.finished ? 'The tenant is deleted.' : 'The deletion goes on.'} What can remain:</p>
            <ul>
              {deleted.remains.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <ReadingState reading={reading} what="the tenants" />
      {reading.body !== null && tenants.length === 0 && (
        <Empty>
          There are no tenants but the default one. A tenant is a closed space with memories and keys of its own.
        </Empty>
      )}
      <ul class="results" aria-label="Tenants">
        {tenants.map((each) => (
          <OneTenant key={each.id} shown={each} onChanged={reading.again} onDeleted={setDeleted} />
        ))}
      </ul>
    </>
  );
}

function textAt(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '').trim();
}

type OneProps = {
  readonly shown: Tenant;
  readonly onChanged: () => void;
  readonly onDeleted: (deleted: Deleted) => void;
};

function OneTenant({ shown, onChanged, onDeleted }: OneProps) {
  const { id, name, state, reason } = shown;
  const [made, setMade] = useState<ReplyOf<'createTenantKey'> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { dialog, ask } = useConfirm();
  const params = { tenant_id: id };

  const note = <T,>(result: Result<T>): T | null => {
    setProblem(result.ok ? null : result.problem);
    onChanged();
    return result.ok ? result.body : null;
  };
  const suspend = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const why = textAt(event.currentTarget as HTMLFormElement, 'reason');
    const detail = 'All of its keys are refused within a second, and its streams end. Its data stays.';
    if (!(await ask({ title: `Suspend ${name}?`, detail, verb: 'Suspend' }))) return;
    note(await call('updateTenant', { params, body: { suspended: true, ...(why !== '' && { reason: why }) } }));
  };
  const limit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = LIMITS.map((each) => [each, textAt(form, each)] as const);
    const limits = Object.fromEntries(given.map(([each, text]) => [each, text === '' ? null : Number(text)]));
    note(await call('updateTenant', { params, body: { limits } }));
  };
  const resume = async () => note(await call('updateTenant', { params, body: { suspended: false } }));
  const remove = async (): Promise<void> => {
    const detail = `${count(shown.memories, 'memory', 'memories')} and all of its keys are deleted. This cannot be undone.`;
    if (!(await ask({ title: `Delete ${name}?`, detail, verb: 'Delete' }))) return;
    const deleted = note(await call('deleteTenant', { params }));
    if (deleted !== null) onDeleted(deleted);
  };
  const makeKey = async (choice: Choice): Promise<void> => {
    const key = note(await call('createTenantKey', { params, body: choice }));
    if (key !== null) setMade(key);
  };
  return (
    <li class="panel">
      {made !== null && (
        <SecretNote
          key={made.key.id}
          kind="Key"
          secret={made.secret}
          owner={`${made.key.name} in ${name}`}
          onDone={() => setMade(null)}
        />
      )}
      <div class="line heading">
        <h2>{name}</h2>
        <p>
          <span class={`state ${state === 'active' ? 'open' : 'cut'}`}>{state}</span>
          {reason !== null && `: ${reason}`}
        </p>
      </div>
      <Facts shown={shown} />
      <details>
        <summary>
          Make a key<span class="hidden"> of {name}</span>
        </summary>
        <KeyForm onSubmit={makeKey} scopes={SCOPES_INSIDE} />
      </details>
      <details>
        <summary>
          Limits<span class="hidden"> of {name}</span>
        </summary>
        <form class="fields" onSubmit={(event) => void limit(event)}>
          {LIMITS.map((each) => (
            <Field key={each} label={labelOf(each)} hint="Empty: no limit">
              {(field) => (
                <input id={field} name={each} type="number" min={1} step={1} defaultValue={shown.limits[each] ?? ''} />
              )}
            </Field>
          ))}
          <button type="submit">Set the limits</button>
        </form>
      </details>
      <details>
        <summary>
          Suspend or delete<span class="hidden"> {name}</span>
        </summary>
        {state === 'active' && (
          <form class="line" onSubmit={(event) => void suspend(event)}>
            <Field label="Reason" hint="For the callers that are refused. May be empty.">
              {(field) => <input id={field} name="reason" maxLength={TENANT_REASON_LIMIT} autocomplete="off" />}
            </Field>
            <button type="submit">Suspend …</button>
          </form>
        )}
        <div class="buttons">
          {state === 'suspended' && (
            <button type="button" onClick={() => void resume()}>
              Resume
            </button>
          )}
          <button type="button" class="danger" onClick={() => void remove()}>
            Delete …
          </button>
        </div>
      </details>
      <ProblemNote problem={problem} />
      {dialog}
    </li>
  );
}

function Facts({ shown }: { readonly shown: Tenant }) {
  const { memories, bytes, counted_at: counted, created_at: made, limits } = shown;
  const set = Object.entries(limits).filter(([, limit]) => limit !== null);
  return (
    <p class="facts">
      {count(memories, 'memory', 'memories')}, {count(bytes, 'byte')}
      {counted !== null && (
        <>
          {', counted '}
          <Time at={counted} />
        </>
      )}
      , made <Time at={made} />
      {set.map(([name, limit]) => `, at most ${limit} ${name.replaceAll('_', ' ')}`).join('')}
    </p>
  );
}
