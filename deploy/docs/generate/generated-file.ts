/** A file of the repository that is generated from the code. */
export type GeneratedFile = {
  /** The path from the root of the repository. */
  readonly path: string;
  /**
   * Returns the new content. `present` is the current content, empty for a missing file. Throws when the file must not
   * be replaced.
   */
  readonly textFrom: (present: string) => string;
};
