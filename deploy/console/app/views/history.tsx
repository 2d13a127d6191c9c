/** Every version of a memory: what changed from one to the next, and who changed it by which request. */
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { count, ReadingState, Time } from '../parts/basics.js';
import { Diff } from '../parts/diff.js';
import { call, memoryId } from '../service/service.js';
import { useRead } from '../service/use-read.js';

type Version = ReplyOf<'listHistory'>['versions'][number];

const PAGE = 50;
/** Shown at once; the other properties are folded. */
const MAIN: readonly string[] = ['content', 'type', 'tags', 'importance'];

/** `version`: of the memory that is shown; the history is read again when it changes. */
export function History({ id, version }: { readonly id: string; readonly version: string }) {
  const [after, setAfter] = useState(0);
  const params = { id: memoryId(id) };
  const reading = useRead(`${id} ${version} ${after}`, (signal) =>
    call('listHistory', { params, query: { after, limit: PAGE }, signal }),
  );
  const versions = reading.body?.versions ?? [];
  const next = reading.body?.next ?? null;
  return (
    <section class="panel" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <ReadingState reading={reading} what="the history" />
      <ol class="history" reversed>
        {versions
          .map((each, index) => <OneVersion key={each.version} version={each} before={versions[index - 1] ?? null} />)
          .reverse()}
      </ol>
      <div class="buttons">
        {after > 0 && (
          <button type="button" onClick={() => setAfter(0)}>
            From the first version
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => setAfter(next)}>
            Later versions
          </button>
        )}
      </div>
    </section>
  );
}

function OneVersion({ version: one, before }: { readonly version: Version; readonly before: Version | null }) {
  const { version, type, time, actor, request_id: request, changed, memory, erased } = one;
  const named = changed ?? [];
  const others = named.filter((name) => !MAIN.includes(name));
  return (
    <li value={version}>
      <p>
        <span class="chip">{type}</span> <Time at={time} /> by <strong>{actor.name}</strong> ({actor.tier}
        {actor.agent !== null && `, ${actor.agent}`})
      </p>
      <p class="facts">
        Request <code>{request}</code>
      </p>
      {erased && <p>The content is erased, because the memory was deleted.</p>}
      {memory !== null && (
        <>
          <Changes names={named.filter((name) => MAIN.includes(name))} before={before?.memory ?? null} after={memory} />
          {others.length > 0 && (
            <details>
              <summary>{count(others.length, 'more property', 'more properties')}</summary>
              <Changes names={others} before={before?.memory ?? null} after={memory} />
            </details>
          )}
        </>
      )}
    </li>
  );
}

type ChangesProps = { readonly names: readonly string[]; readonly before: object | null; readonly after: object };

function Changes({ names, before, after }: ChangesProps) {
  return (
    <dl>
      {names.map((name) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>
            <Diff before={valueOf(before, name)} after={valueOf(after, name)} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function valueOf(memory: object | null, name: string): string {
  const value: unknown = memory === null ? undefined : (memory as Readonly<Record<string, unknown>>)[name];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
