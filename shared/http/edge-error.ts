/** A problem that exists only in HTTP: a body or an address that is too long, or a method that a path does not have. */
export class EdgeError extends Error {
  constructor(
    readonly status: 404 | 405 | 408 | 413 | 414,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'EdgeError';
  }
}
