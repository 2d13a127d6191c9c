/** The recorded bounds: processor time of an operation in relation to a bare HTTP exchange of the same run. */

export type Operation = 'get' | 'recall' | 'recall with a tag' | 'store';

/**
 * `measured`: on two shared cores when the bound was recorded; two runs differed by 7 % at most, also next to other work. A run fails above
 * `most`, which is 1.6 times that.
 */
export const BOUNDS: Readonly<Record<Operation, { readonly measured: number; readonly most: number }>> = {
  get: { measured: 5, most: 8 },
  recall: { measured: 76, most: 120 },
  'recall with a tag': { measured: 48, most: 76 },
  store: { measured: 37, most: 60 },
};
