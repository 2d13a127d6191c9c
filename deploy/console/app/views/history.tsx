/** The versions of a memory on a slider: what each changed, when and by which request; an old one can be restored. */
import { Fragment } from 'preact';
import { useId, useState } from 'preact/hooks';
import { MEMORY_TYPES } from '../../../../shared/contract/memory.js';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { count, Field, ProblemNote, ReadingState, Time } from '../parts/basics.js';
import { useConfirm } from '../parts/confirm.js';
import { Diff } from '../parts/diff.js';
import { textOf } from '../parts/differences.js';
import { call, memoryId, type Problem } from '../service/service.js';
import { useRead } from '../service/use-read.js';

type Version = ReplyOf<'listHistory'>['versions'][number];
type Memory = ReplyOf<'getMemory'>['memory'];
type Recorded = NonNullable<Version['memory']>;
type Properties = Readonly<Record<string, unknown>>;

const PAGE = 50;
/** Always shown, so that each version can be read as a whole. */
const WHOLE: readonly string[] = ['content', 'tags'];
/** Shown at once when they changed; the other properties are folded. */
const MAIN: readonly string[] = [...WHOLE, 'type', 'importance'];

type Props = { readonly memory: Memory; readonly etag: string | null; readonly onChanged: () => void };

/** Read again when the version that `etag` names changes. */
export function History({ memory, etag, onChanged }: Props) {
  const { id } = memory;
  const [after, setAfter] = useState(0);
  /** Null is the newest of the page. */
  const [chosen, setChosen] = useState<number | null>(null);
  /** Of the last restore. It stays while the changed memory is read. */
  const [problem, setProblem] = useState<Problem | null>(null);
  const ticks = useId();
  const params = { id: memoryId(id) };
  const reading = useRead(`${id} ${etag ?? ''} ${after}`, (signal) =>
    call('listHistory', { params, query: { after, limit: PAGE }, signal }),
  );
  const all = reading.body?.versions ?? [];
  const next = reading.body?.next ?? null;
  // A later page begins with the last version of the page before it, which is only compared with.
  const first = after === 0 ? 0 : 1;
  const last = all.length - 1;
  const at = all.findIndex(({ version }) => version === chosen);
  const index = at < first ? last : at;
  const shown = all[index];
  const turnTo = (page: number): void => {
    setProblem(null);
    setAfter(page);
    setChosen(null);
  };
  return (
    <section class="panel" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <ReadingState reading={reading} what="the history" />
      {last > first && (
        <>
          <Field label="Version" isWide>
            {(field) => (
              <input
                id={field}
                class="versions"
                type="range"
                list={ticks}
                min={first}
                max={last}
                value={index}
                aria-valuetext={`Version ${shown?.version ?? ''}, ${shown?.type ?? ''}`}
                onInput={({ currentTarget }) => setChosen(all[Number(currentTarget.value)]?.version ?? null)}
              />
            )}
          </Field>
          <datalist id={ticks}>
            {all.slice(first).map(({ version }, place) => (
              <option key={version} value={first + place} />
            ))}
          </datalist>
          <p class="facts ends">
            <End {...all[first]} />
            <End {...all[last]} />
          </p>
        </>
      )}
      {shown !== undefined && <OneVersion version={shown} before={all[index - 1]?.memory ?? null} />}
      {shown?.memory && (index < last || next !== null) && (
        <Restore
          recorded={shown.memory}
          version={shown.version}
          onRestored={() => turnTo(after)}
          onProblem={setProblem}
          {...{ memory, etag, onChanged }}
        />
      )}
      <ProblemNote problem={problem} />
      <div class="buttons">
        {after > 0 && (
          <button type="button" onClick={() => turnTo(0)}>
            From the first version
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => turnTo(next - 1)}>
            Later versions
          </button>
        )}
      </div>
    </section>
  );
}

function End({ version, time = '' }: Partial<Version>) {
  return (
    <span>
      {version}: <Time at={time} />
    </span>
  );
}

function OneVersion({ version: one, before }: { readonly version: Version; readonly before: Recorded | null }) {
  const { version, revision, type, time, actor, request_id: request, changed, memory, erased } = one;
  const named = changed ?? [];
  const main = MAIN.filter((name) => WHOLE.includes(name) || named.includes(name));
  const others = named.filter((name) => !MAIN.includes(name));
  return (
    <div class="history" role="group" aria-label={`Version ${version}`}>
      <p>
        <strong>Version {version}</strong> (revision {revision}) <span class="chip">{type}</span> recorded{' '}
        <Time at={time} /> by <strong>{actor.name}</strong> ({actor.tier}
        {actor.agent !== null && `, ${actor.agent}`})
        {memory !== null && (
          <>
            , happened <Time at={memory.timestamp} />
          </>
        )}
      </p>
      <p class="facts">
        Request <code>{request}</code>
      </p>
      {erased && <p>The content is erased, because the memory was deleted.</p>}
      {memory !== null && (
        <>
          <Changes names={main} before={before ?? memory} after={memory} />
          {others.length > 0 && (
            <details>
              <summary>{count(others.length, 'more property', 'more properties')}</summary>
              <Changes names={others} before={before ?? memory} after={memory} />
            </details>
          )}
        </>
      )}
    </div>
  );
}

type ChangesProps = { readonly names: readonly string[]; readonly before: Properties; readonly after: Properties };

function Changes({ names, before, after }: ChangesProps) {
  return (
    <dl>
      {names.map((name) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>
            <Diff before={before[name]} after={after[name]} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

type RestoreProps = Props & {
  readonly recorded: Recorded;
  readonly version: number;
  readonly onRestored: () => void;
  readonly onProblem: (problem: Problem | null) => void;
};

/** Writes what a user can edit as it was in this version, as one more version. */
function Restore({ recorded, version, memory, etag, onChanged, onRestored, onProblem }: RestoreProps) {
  const { dialog, ask } = useConfirm();
  const type = MEMORY_TYPES.find((each) => each === recorded.type);
  const { content, tags, importance, metadata } = recorded;
  const old = { content, tags, importance, metadata, ...(type !== undefined && { type }) };
  const changes = Object.entries(old).filter(([name, value]) => textOf(value) !== textOf((memory as Properties)[name]));
  if (changes.length === 0) return null;
  const restore = async (): Promise<void> => {
    const detail = `A new version is written with its ${changes.map(([name]) => name).join(', ')}; the history stays.`;
    if (!(await ask({ title: `Restore version ${version}?`, detail, verb: 'Restore' }))) return;
    const body = Object.fromEntries(changes);
    const condition = etag === null ? {} : { ifMatch: etag };
    const result = await call('updateMemory', { params: { id: memoryId(memory.id) }, body, ...condition });
    if (result.ok) onRestored();
    onProblem(result.ok ? null : result.problem);
    onChanged();
  };
  return (
    <>
      <div class="buttons">
        <button type="button" onClick={() => void restore()}>
          Restore version {version} …
        </button>
      </div>
      {dialog}
    </>
  );
}
