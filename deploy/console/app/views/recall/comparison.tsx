/** What moved between the answers of two sets of parameters, as a table. */
import { MemoryLink, shorten } from '../../parts/basics.js';
import { moveInWords, movesOf, type Place } from './moved.js';
import type { FullResult } from './recalled.js';

const CONTENT_LENGTH = 120;

type Props = { readonly first: readonly FullResult[]; readonly second: readonly FullResult[] };

export function Comparison({ first, second }: Props) {
  const contents = new Map([...first, ...second].map(({ id, memory }) => [id, memory.content]));
  return (
    <section class="panel" aria-labelledby="moved-title">
      <h2 id="moved-title">From A to B</h2>
      <div class="scroll">
        <table class="moved">
          <thead>
            <tr>
              <th scope="col">Memory</th>
              <th scope="col">Rank A</th>
              <th scope="col">Rank B</th>
              <th scope="col">Moved</th>
              <th scope="col">Score A</th>
              <th scope="col">Score B</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {movesOf(first, second).map((move) => (
              <tr key={move.id}>
                <th scope="row">
                  <MemoryLink id={move.id}>{shorten(contents.get(move.id) ?? '', CONTENT_LENGTH)}</MemoryLink>
                </th>
                <td class="number">{move.before?.rank ?? '–'}</td>
                <td class="number">{move.after?.rank ?? '–'}</td>
                <td>{moveInWords(move)}</td>
                <td class="number">{score(move.before)}</td>
                <td class="number">{score(move.after)}</td>
                <td class="number">{change(move.before, move.after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const score = (place: Place | null): string => place?.score.toFixed(3) ?? '–';

function change(before: Place | null, after: Place | null): string {
  if (before === null || after === null) return '–';
  const difference = after.score - before.score;
  return `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;
}
