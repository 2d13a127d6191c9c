/** A file of the repository that is made from the code. */
export type GeneratedFile = {
  /** From the root of the repository. */
  readonly path: string;
  /** What it should hold. `present` is what it holds; empty when it is not there. Throws when that must not be replaced. */
  readonly textFrom: (present: string) => string;
};
