/** Cosine is the dot product of unit vectors, so every vector is brought to unit length at the door. */

/** Null for a vector that has no direction: all zero, or with a component that is not finite. */
export function unitVector(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const norm = Math.sqrt(squares);
  return Number.isFinite(norm) && norm > 0 ? vector.map((component) => component / norm) : null;
}
