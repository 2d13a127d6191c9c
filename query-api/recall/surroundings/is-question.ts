/**
 * Whether a memory asks, pure. The question looks more like the query than its answer does and says nothing. What is in brackets behind it
 * is a note, not its end. Without it recall@10 on real conversations is 1.3 points lower.
 */
export function isQuestion(content: string): boolean {
  return QUESTION_AT_END.test(content);
}

/** Latin and Greek, full width, Arabic. */
const QUESTION_AT_END = /[?\u037e？؟]["'”’»)\]]*\s*(?:\[[^[\]]{0,500}\]\s*)?$/u;
