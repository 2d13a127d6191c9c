/** The recorded bounds: processor time of an operation in relation to a bare HTTP exchange of the same run. */

export type Operation = 'get' | 'recall' | 'recall with a tag' | 'store';

/**
 * `measured`: on two shared cores when the bound was recorded; runs next to other work took up to a third more. A run
 * fails above `most`, about twice that.
 */
export const BOUNDS: Readonly<Record<Operation, { readonly measured: number; readonly most: number }>> = {
  get: { measured: 6, most: 9 },
  recall: { measured: 61, most: 110 },
  'recall with a tag': { measured: 34, most: 75 },
  store: { measured: 35, most: 65 },
};
