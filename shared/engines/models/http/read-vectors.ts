/**
 * Reads the vectors of a provider's answer and checks their number, their length and that all values are finite.
 * Repairs nothing.
 */
import { DependencyError } from '../../../kernel/errors.js';
import { isRecord } from '../../../kernel/is-record.js';

export function readVectors(
  raw: readonly unknown[],
  {
    provider,
    count,
    dimension,
  }: {
    readonly provider: string;
    readonly count: number;
    readonly dimension: number;
  },
): Float32Array[] {
  if (raw.length !== count) throw unusable(provider, `${raw.length} vectors for ${count} texts: try another model`);
  return raw.map((values) => {
    const { length } = rawVector(values, provider);
    if (length !== dimension) {
      throw unusable(
        provider,
        `a vector of ${length} numbers instead of ${dimension}: set VECTOR_SIZE=${length}, or another model`,
      );
    }
    return Float32Array.from(rawVector(values, provider));
  });
}

/** The numbers of one raw vector, each finite also as a 32-bit float. */
export function rawVector(values: unknown, provider: string): readonly number[] {
  if (!Array.isArray(values) || values.length === 0)
    throw unusable(provider, 'something that is not a vector: try another model');
  if (!values.every((value) => typeof value === 'number' && Number.isFinite(Math.fround(value)))) {
    throw unusable(provider, 'a vector with a value that is not a finite number: try another model');
  }
  return values as number[];
}

/** The list in property `key` of an answer. */
export function listIn(answer: unknown, key: string, provider: string): readonly unknown[] {
  const list: unknown = isRecord(answer) ? answer[key] : undefined;
  if (!Array.isArray(list)) throw unusable(provider, `no list of ${key}: check its address`);
  return list;
}

function unusable(provider: string, problem: string): DependencyError {
  return new DependencyError('embedding', `${provider} answered ${problem}`, { retryAfterSeconds: 30 });
}
