/**
 * Associations whose data one transaction erases at most when their memories are deleted; this takes 50 ms. With
 * 300,000 of them a transaction took 36 s, longer than a statement may take. The rest has a row in `erasures`, and is
 * erased in batches of this size.
 */
export const ERASED_AT_ONCE = 500;
