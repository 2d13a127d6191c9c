/** Asks one question within one conversation, and reads the parts of the answer that the benchmarks measure. */
import type { MatchEstimate, ScoredCandidate } from '../../../query-api/recall/candidate.js';
import type { StoredCorpora } from './with-stored-corpora.js';

export type Answer = {
  readonly results: readonly AnswerResult[];
  /** Absent when the service does not judge whether its results answer the question. */
  readonly nothingFits?: boolean;
};

export type AnswerResult = {
  readonly source: string;
  /** The numbers in `score_components`. */
  readonly components: Readonly<Record<string, number>>;
  readonly score: number;
  readonly matchProbability?: number;
  /** What the components `vector` and `keyword` are made from. Only with `explain`. */
  readonly features?: ScoredCandidate['features'];
  /** The features of the probability. Only with `explain`. */
  readonly match?: MatchEstimate;
};

type ShownResult = {
  readonly id: string;
  readonly score_components: Readonly<Record<string, unknown>>;
  readonly final_score: number;
  readonly match_probability?: number;
  readonly explain?: { readonly match?: MatchEstimate; readonly features: ScoredCandidate['features'] };
};

/** `parameters`: those of `GET /recall` in addition to the query and the tag. */
export async function askWithin(
  { target, sourceOf }: Pick<StoredCorpora, 'target' | 'sourceOf'>,
  { question, tag }: { readonly question: string; readonly tag: string },
  parameters: Readonly<Record<string, string>>,
): Promise<Answer> {
  const search = new URLSearchParams({ query: question, tags: tag, ...parameters });
  const { body } = await target.call('GET', `/recall?${search}`);
  if (body.degraded !== undefined) throw new Error(`GET /recall is degraded: ${JSON.stringify(body.degraded)}`);
  return {
    results: body.results.map((result: ShownResult) => ({
      source: sourceOf.get(result.id) ?? `unknown ${result.id}`,
      components: numbersIn(result.score_components),
      score: result.final_score,
      ...(result.explain === undefined ? {} : { features: result.explain.features }),
      ...(result.match_probability === undefined ? {} : { matchProbability: result.match_probability }),
      ...(result.explain?.match === undefined ? {} : { match: result.explain.match }),
    })),
    ...(body.nothing_fits === undefined ? {} : { nothingFits: body.nothing_fits }),
  };
}

function numbersIn(components: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(components).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
