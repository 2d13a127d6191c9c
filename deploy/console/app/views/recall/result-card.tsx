/** One result of a recall: its content, its score as a stacked bar, and the evidence of each source. */
import type { ReplyOf } from '../../../../../shared/contract/operations.js';
import { StackedBar } from '../../parts/bars.js';
import { MemoryLink, shorten, Tags, Time } from '../../parts/basics.js';
import { Marked } from '../../parts/marked.js';
import { wordsOfTerms } from '../../parts/matches.js';
import { type Known, QuotedMemory } from './quoted-memory.js';
import { type FullResult, matchInWords, type Scale } from './recalled.js';

const CONTENT_LENGTH = 600;

type Explained = NonNullable<NonNullable<ReplyOf<'recall'>['explain']>['evidence']>;

type Props = {
  readonly result: FullResult;
  readonly query: string;
  readonly rank: number;
  readonly scale: Scale;
  readonly names: readonly string[];
  readonly known: Known;
};

export function ResultCard({ result, query, rank, scale, names, known }: Props) {
  const { memory, explain, final_score: score, match_type: type, match_probability: probability } = result;
  const points = Object.entries(explain?.points ?? {}).map(([name, value]) => ({ name, value }));
  return (
    <li class="panel result">
      <div class="line">
        <span class="rank" aria-label={`Rank ${rank}`}>
          {rank}
        </span>
        <p class="content">
          <MemoryLink id={result.id}>
            <Marked text={shorten(memory.content, CONTENT_LENGTH)} terms={explain?.terms.content ?? []} />
          </MemoryLink>
        </p>
      </div>
      <StackedBar parts={points} {...scale} names={names} label={`Score ${score.toFixed(3)} by components`} />
      <p class="facts">
        <strong>{score.toFixed(3)}</strong> <span class="chip">{memory.type}</span> <span class="chip">{type}</span>
        {probability !== undefined && <span>{matchInWords(probability)}, </span>}
        <Time at={memory.timestamp} />
      </p>
      <Tags tags={memory.tags} />
      {explain !== undefined && (
        <details>
          <summary>Explained</summary>
          <table>
            <caption>Points, whose sum is the score</caption>
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
          <Evidence explain={explain} query={result._query ?? query} known={known} />
        </details>
      )}
    </li>
  );
}

type EvidenceProps = { readonly explain: Explained; readonly query: string; readonly known: Known };

/** Which sources found a memory, and which words of the query it has. */
export function Evidence({ explain: { evidence, terms, found_in: replaced }, query, known }: EvidenceProps) {
  const words = (label: string, found: readonly string[]) =>
    found.length > 0 && (
      <li>
        {label}: {wordsOfTerms(query, found).join(', ')}.
      </li>
    );
  return (
    <ul>
      {evidence.map((found, index) => (
        <li key={index}>It was {foundInWords(found)}.</li>
      ))}
      {evidence.length === 0 && <li>No source found it by itself.</li>}
      {replaced !== undefined && (
        <li>
          It replaces <QuotedMemory id={replaced.id} known={known} /> ({replaced.type}) and takes over{' '}
          {Math.round(replaced.share * 100)} % of its match. That one was{' '}
          {replaced.evidence.map(foundInWords).join(', and ')}.
        </li>
      )}
      {words('Words of the query in its content', terms.content)}
      {words('Words of the query in its tags', terms.tags)}
      {words('Words of the query that it lacks', terms.missing)}
    </ul>
  );
}

function foundInWords({ source, rank, similarity }: Explained['evidence'][number]): string {
  const at = rank === undefined ? '' : ` at rank ${rank}`;
  return `found by ${source}${at}${similarity === undefined ? '' : `, similarity ${similarity.toFixed(3)}`}`;
}
