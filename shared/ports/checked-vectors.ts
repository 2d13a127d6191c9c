/**
 * Checks vectors and scales them to unit length before they reach an index, because cosine is the dot product of unit
 * vectors.
 */
import { PoisonError, ValidationError } from '../kernel/errors.js';
import type { Point } from './vectors.js';

/** Returns the query vector of a caller at unit length. Throws ValidationError. */
export function checkedQuery(vector: Float32Array, dimension: number): Float32Array {
  if (vector.length !== dimension)
    throw new ValidationError(`Embedding must contain exactly ${dimension} values`, 'embedding');
  const unit = unitVector(vector);
  if (unit === null)
    throw new ValidationError('Embedding must contain finite values, not all of them zero', 'embedding');
  return unit;
}

/** Returns the vector of a memory at unit length. Throws PoisonError with the id of the memory. */
export function checkedPoint({ id, vector }: Pick<Point, 'id' | 'vector'>, dimension: number): Float32Array {
  if (vector.length !== dimension) {
    throw new PoisonError(
      `The vector of memory ${id} has ${vector.length} values instead of ${dimension}: embed the memory again`,
    );
  }
  const unit = unitVector(vector);
  if (unit === null)
    throw new PoisonError(
      `The vector of memory ${id} is all zero or has a value that is not finite: embed the memory again`,
    );
  return unit;
}

/** Null for a vector without a direction: all components are zero, or one is not finite. */
function unitVector(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const norm = Math.sqrt(squares);
  return Number.isFinite(norm) && norm > 0 ? vector.map((component) => component / norm) : null;
}
