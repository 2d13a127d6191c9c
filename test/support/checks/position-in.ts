/** The position in a cursor, which is opaque to clients; NaN for null. */
export function positionIn(cursor: string | null): number {
  return Number(cursor?.split('.').at(-1) ?? Number.NaN);
}

/** A cursor with the same position, of another history. */
export function ofAnotherHistory(cursor: string): string {
  return cursor.replace(/^[0-9a-f]/u, (digit) => (digit === '0' ? '1' : '0'));
}
