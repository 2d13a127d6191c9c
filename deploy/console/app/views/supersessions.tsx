/** The memories that replace each other, as strata: the oldest at the bottom, the newest on top. */
import { Fragment } from 'preact';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { MemoryLink, ReadingState, shorten, Time } from '../parts/basics.js';
import { call, memoryId, type Result } from '../service/service.js';
import { type Reading, useRead } from '../service/use-read.js';
import { replacementsOf, strataOf } from './strata.js';

type Memory = ReplyOf<'getMemory'>['memory'];

/** Memories of one chain that are read, each on its own. */
const MEMORIES_LIMIT = 30;
const CONTENT_LENGTH = 200;

/** Reads nothing for a memory that replaces none and is not replaced. Reads again when `etag` changes. */
export function useReplacements(memory: Memory, etag: string | null): Reading<Chain> {
  const direct = replacementsOf(memory);
  const key = `${etag ?? ''} ${JSON.stringify(direct)}`;
  return useRead(direct.length === 0 ? null : key, (signal) => readChain(memory, signal));
}

/** Nothing for a memory that replaces none and is not replaced. */
export function Supersessions({ memory, reading }: { readonly memory: Memory; readonly reading: Reading<Chain> }) {
  if (replacementsOf(memory).length === 0) return null;
  const { layers = [], isCut = false } = reading.body ?? {};
  return (
    <section class="panel" aria-labelledby="strata-title">
      <h2 id="strata-title">Replacements</h2>
      <ReadingState reading={reading} what="the replacements" />
      {reading.body !== null && <p class="facts">The newest is on top; recalls show it in place of the older ones.</p>}
      <ol class="strata" reversed>
        {strataOf(layers).map(({ id, content, timestamp, replacedBy }) => (
          <li key={id} aria-current={id === memory.id ? 'true' : undefined}>
            <MemoryLink id={id}>{shorten(content, CONTENT_LENGTH)}</MemoryLink>
            <p class="facts">
              {replacedBy.map(({ newer, type, at }) => (
                <Fragment key={`${newer} ${type}`}>
                  <span class="chip">↑ {type}</span>
                  replaced <Time at={at} />,{' '}
                </Fragment>
              ))}
              happened <Time at={timestamp} />
              {id === memory.id && ', this memory'}
            </p>
          </li>
        ))}
      </ol>
      {isCut && <p>There are more: open the first or the last one.</p>}
    </section>
  );
}

type Chain = { readonly layers: readonly Memory[]; readonly isCut: boolean };

/** Reads what replaces the memory and what it replaces, and so on in both directions, step by step. */
async function readChain(start: Memory, signal: AbortSignal): Promise<Result<Chain>> {
  const layers = new Map<string, Memory>([[start.id, start]]);
  const missing = new Set<string>();
  const unread = (memories: Iterable<Memory>): readonly string[] => {
    const ids = [...memories].flatMap(replacementsOf).flatMap(({ older, newer }) => [older, newer]);
    return [...new Set(ids)].filter((id) => !layers.has(id) && !missing.has(id));
  };
  let headers = new Headers();
  let ids = unread([start]);
  while (ids.length > 0 && layers.size < MEMORIES_LIMIT) {
    const results = await Promise.all(
      ids
        .slice(0, MEMORIES_LIMIT - layers.size)
        .map(async (id) => [id, await call('getMemory', { params: { id: memoryId(id) }, signal })] as const),
    );
    for (const [id, result] of results) {
      if (result.ok) {
        layers.set(id, result.body.memory);
        headers = result.headers;
      } else if (result.problem.status === 404) missing.add(id);
      else return result;
    }
    ids = unread(layers.values());
  }
  return { ok: true, body: { layers: [...layers.values()], isCut: ids.length > 0 }, headers };
}
