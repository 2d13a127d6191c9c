/** The coefficients that the fit finds, and how they enter the score. */

export type Coefficient = {
  readonly name: string;
  /** Names in `score_components`; their sum has this one coefficient. */
  readonly components: readonly string[];
  readonly isSubtracted: boolean;
};

/** `vector` and `keyword` share the first coefficient, because the contract fixes both weights at 0.35. */
export const COEFFICIENTS: readonly Coefficient[] = [
  { name: 'vector, keyword', components: ['vector', 'keyword'], isSubtracted: false },
  ...['lexical', 'feedback', 'neighbours', 'session', 'subject', 'date', 'role'].map(single),
  ...['question', 'verbosity'].map((name) => ({ ...single(name), isSubtracted: true })),
];
const FIXED_WEIGHT = 0.35;

function single(name: string): Coefficient {
  return { name, components: [name], isSubtracted: false };
}

/** One number for each coefficient; a missing component counts 0. */
export function featuresOf(components: Readonly<Record<string, number>>): readonly number[] {
  return COEFFICIENTS.map(({ components: names, isSubtracted }) => {
    const sum = names.reduce((total, name) => total + (components[name] ?? 0), 0);
    return isSubtracted ? -sum : sum;
  });
}

/** Scales all weights by one factor, so that the first is 0.35. The order of the results stays the same. */
export function scaledWeights(weights: readonly number[]): readonly number[] {
  const [match = 0] = weights;
  if (match === 0)
    throw new Error('The fit gives vector and keyword no weight, so their weight cannot be 0.35: fit more questions');
  return weights.map((weight) => (weight * FIXED_WEIGHT) / match);
}
