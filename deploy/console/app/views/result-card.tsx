/** One result of a recall: its content, its score as a stacked bar, and the evidence of each source. */
import { StackedBar } from '../parts/bars.js';
import { MemoryLink, shorten, Tags, Time } from '../parts/basics.js';
import type { FullResult } from './recalled.js';

const CONTENT_LENGTH = 600;

type Explained = {
  readonly evidence: readonly { readonly source: string; readonly rank?: number; readonly similarity?: number }[];
  readonly terms: { readonly content: readonly string[]; readonly missing: readonly string[] };
};

type Props = {
  readonly result: FullResult;
  readonly rank: number;
  /** The score of a bar of full width. */
  readonly whole: number;
  readonly names: readonly string[];
};

export function ResultCard({ result, rank, whole, names }: Props) {
  const { memory, explain, final_score: score, match_type: type, match_probability: probability } = result;
  const points = Object.entries(explain?.points ?? {}).map(([name, value]) => ({ name, value }));
  return (
    <li class="panel result">
      <div class="line">
        <span class="rank" aria-label={`Rank ${rank}`}>
          {rank}
        </span>
        <p class="content">
          <MemoryLink id={result.id}>{shorten(memory.content, CONTENT_LENGTH)}</MemoryLink>
        </p>
      </div>
      <StackedBar parts={points} whole={whole} names={names} label={`Score ${score.toFixed(3)} by components`} />
      <p class="facts">
        <strong>{score.toFixed(3)}</strong> <span class="chip">{memory.type}</span> <span class="chip">{type}</span>
        {probability !== undefined && <span>answers the query with {Math.round(probability * 100)} %, </span>}
        <Time at={memory.timestamp} />
      </p>
      <Tags tags={memory.tags} />
      {explain !== undefined && (
        <details>
          <summary>Explained</summary>
          <table>
            <caption>Points of each component; their sum is the score</caption>
            <tbody>
              {points
                .filter(({ value }) => value !== 0)
                .map(({ name, value }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td class="number">{value.toFixed(4)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
          <Evidence explain={explain} />
        </details>
      )}
    </li>
  );
}

/** Which sources found a memory, and which words of the query it has. */
export function Evidence({ explain: { evidence, terms } }: { readonly explain: Explained }) {
  return (
    <>
      <ul>
        {evidence.map(({ source, rank, similarity }, index) => (
          <li key={index}>
            Found by {source}
            {rank !== undefined && ` at rank ${rank}`}
            {similarity !== undefined && `, similarity ${similarity.toFixed(3)}`}.
          </li>
        ))}
        {evidence.length === 0 && <li>No source found it by itself.</li>}
      </ul>
      {terms.content.length > 0 && <p>Words of the query in its content: {terms.content.join(', ')}.</p>}
      {terms.missing.length > 0 && <p>Words of the query that it lacks: {terms.missing.join(', ')}.</p>}
    </>
  );
}
