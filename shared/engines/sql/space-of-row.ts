/** Reads a space from its row; the columns are the same in both databases. */
import type { EmbeddingTarget, SpaceState, VectorSpace } from '../../ports/vector-spaces.js';

export type SpaceRow = {
  readonly number: number;
  readonly state: string;
  readonly model: string;
  readonly dimension: number;
  /** JSON. */
  readonly target: string | null;
  readonly position: number | bigint | string;
};

/** The casts are safe because only the stores of the spaces write these columns. */
export function spaceOfRow(row: SpaceRow): VectorSpace {
  return {
    number: Number(row.number),
    state: row.state as SpaceState,
    model: row.model,
    dimension: Number(row.dimension),
    target: row.target === null ? null : (JSON.parse(row.target) as EmbeddingTarget),
    position: Number(row.position),
  };
}
