/** The recorded bounds: processor time of an operation in relation to a bare HTTP exchange of the same run. */

export type Operation = 'get' | 'recall' | 'recall with a tag' | 'store';

/**
 * `measured`: on two shared cores when the bound was recorded; runs next to other work differed by a tenth. A run fails above `most`, which
 * is about 1.7 times that.
 */
export const BOUNDS: Readonly<Record<Operation, { readonly measured: number; readonly most: number }>> = {
  get: { measured: 4.6, most: 8 },
  recall: { measured: 61, most: 105 },
  'recall with a tag': { measured: 34, most: 58 },
  store: { measured: 35, most: 60 },
};
