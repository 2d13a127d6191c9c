/** The archive cannot be used: it is truncated, changed, or not of the expected program. The message says why. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
