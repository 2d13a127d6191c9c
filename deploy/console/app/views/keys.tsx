/** Keys: what each may do, whether it works and when it was used; a new one, a rotation, a revocation. */
import { useState } from 'preact/hooks';
import { KEY_OVERLAP_HOURS, KEY_OVERLAP_HOURS_LIMIT } from '../../../../shared/contract/limits.js';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { count, Empty, ProblemNote, ReadingState, Time } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { Icon } from '../parts/icon.js';
import { NumberForm } from '../parts/number-form.js';
import { SecretNote } from '../parts/secret-note.js';
import { call, type Problem } from '../service/service.js';
import { useRead } from '../service/use-read.js';
import { type Choice, KeyForm } from './key-form.js';

type Key = ReplyOf<'listKeys'>['keys'][number];

const EVERY_MS = 5_000;

export function KeysView() {
  const reading = useRead('keys', (signal) => call('listKeys', { signal }), EVERY_MS);
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<ReplyOf<'createKey'> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const toggle = (): void => {
    setIsOpen(!isOpen);
    setProblem(null);
  };
  const create = async (choice: Choice): Promise<void> => {
    const result = await call('createKey', { body: choice });
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    setMade(result.body);
    setIsOpen(false);
    reading.again();
  };
  const keys = reading.body?.keys ?? [];
  // By the clock of the service, which decides whether a key works.
  const now = Date.parse(reading.headers?.get('date') ?? '') || Date.now();
  return (
    <>
      <h1>Keys</h1>
      {made !== null && (
        <SecretNote
          key={made.key.id}
          kind="Key"
          secret={made.secret}
          owner={made.key.name}
          onDone={() => setMade(null)}
        />
      )}
      <section class="panel" aria-label="New key">
        <button type="button" aria-expanded={isOpen} onClick={toggle}>
          <Icon name="add" /> New key
        </button>
        {isOpen && <KeyForm onSubmit={create} />}
        {isOpen && <ProblemNote problem={problem} />}
      </section>
      <ReadingState reading={reading} what="the keys" />
      {reading.body !== null && keys.length === 0 && (
        <Empty>There are no keys yet. A new key gives an agent or a person only the scopes that you choose.</Empty>
      )}
      <ul class="results" aria-label="Keys">
        {keys.map((each) => (
          <OneKey key={each.id} shown={each} now={now} onChanged={reading.again} />
        ))}
      </ul>
    </>
  );
}

type OneProps = { readonly shown: Key; readonly now: number; readonly onChanged: () => void };

function OneKey({ shown, now, onChanged }: OneProps) {
  const { name, scopes, tag, requests_per_minute: rate, last_used_at: used, uses, created_at: made } = shown;
  const [rotated, setRotated] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { dialog, ask } = useConfirm();
  const params = { key_id: shown.id };

  const rotate = async (hours: number): Promise<void> => {
    const detail =
      hours === 0
        ? 'The present key is refused from now on: its holder is locked out until it has the new one.'
        : `Both keys work for ${count(hours, 'hour')}: give the holder the new one in that time.`;
    if (!(await ask({ title: `Replace the key of ${name}?`, detail, verb: 'Rotate' }))) return;
    const result = await call('rotateKey', { params, body: { overlap_hours: hours } });
    setProblem(result.ok ? null : result.problem);
    if (result.ok) setRotated(result.body.secret);
    onChanged();
  };
  const revoke = async (): Promise<void> => {
    const detail = 'It is refused within a second, and its streams end. Events keep its name.';
    if (!(await ask({ title: `Revoke the key of ${name}?`, detail, verb: 'Revoke' }))) return;
    const result = await call('revokeKey', { params });
    setProblem(result.ok ? null : result.problem);
    onChanged();
  };
  return (
    <li class="panel">
      {rotated !== null && (
        <SecretNote key={rotated} kind="Key" secret={rotated} owner={name} onDone={() => setRotated(null)} />
      )}
      <div class="line heading">
        <h2>{name}</h2>
        <KeyState shown={shown} now={now} />
        <p>
          {scopes.map((scope) => (
            <span key={scope} class="chip">
              {scope}
            </span>
          ))}
        </p>
      </div>
      <p class="facts">
        {tag !== null && `Only ${tag}. `}
        {rate !== null && `${count(rate, 'request')} per minute. `}
        {used === null ? (
          'Never used'
        ) : (
          <>
            Last used <Time at={used} />, {count(uses, 'use')}
          </>
        )}
        , made <Time at={made} />
      </p>
      <details>
        <summary>
          Rotate or revoke<span class="hidden"> {name}</span>
        </summary>
        <div class="line">
          <NumberForm
            label="Hours with both keys"
            value={String(KEY_OVERLAP_HOURS)}
            max={KEY_OVERLAP_HOURS_LIMIT}
            verb="Rotate"
            onSubmit={rotate}
          />
          <button type="button" class="danger" onClick={() => void revoke()}>
            Revoke …
          </button>
        </div>
      </details>
      <ProblemNote problem={problem} />
      {dialog}
    </li>
  );
}

function KeyState({ shown: { expires_at: end, previous_until: until }, now }: Omit<OneProps, 'onChanged'>) {
  const isActive = end === null || Date.parse(end) > now;
  return (
    <>
      <p>
        <span class={`state ${isActive ? 'open' : 'cut'}`}>{isActive ? 'active' : 'expired'}</span>
        {end === null && ', never expires'}
        {end !== null && (
          <>
            {isActive ? ', expires ' : ' '}
            <Time at={end} />
          </>
        )}
      </p>
      {isActive && until !== null && Date.parse(until) > now && (
        <p>
          The key before still works; it ends <Time at={until} />
        </p>
      )}
    </>
  );
}
