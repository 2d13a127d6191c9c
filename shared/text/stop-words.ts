/**
 * English words that are too common to distinguish memories. Lower case, unstemmed; contractions with a straight
 * apostrophe.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as at be because been before being between both but by can can't cannot could couldn't
  did didn't do does doesn't doing don't down during each few for from further had hadn't has hasn't have haven't having he her here
  hers herself him himself his how i if in into is isn't it its itself just let me more most my myself no nor not of off on once only
  or other our ours ourselves out over own same she should shouldn't so some such than that the their theirs them themselves then
  there these they this those through to too under until up us very was wasn't we were weren't what when where which while who whom
  why will with won't would wouldn't you your yours yourself yourselves`.split(/\s+/),
);
