/**
 * Detects a memory that is nothing but a question, pure. A short question resembles the query more than its answer does,
 * and contains no answer. A longer one states facts before it asks ("I am moving to Bonn in May, can you help me?"): in
 * chats with an assistant half of all evidence ends in a question mark. So the signal fades with the length: with the
 * same value for every length, recall@10 on such chats is 9 points lower. Text in brackets after the question mark is a
 * note and ignored.
 */
const WHOLE_CHARACTERS = 60;
const NONE_CHARACTERS = 200;

/** 1 for a question of up to 60 characters, 0 from 200 characters and for text that does not end in a question mark. */
export function questionSignal(content: string): number {
  if (!QUESTION_AT_END.test(content)) return 0;
  const share = (NONE_CHARACTERS - content.trim().length) / (NONE_CHARACTERS - WHOLE_CHARACTERS);
  return Math.min(1, Math.max(0, share));
}

/** The question marks of Latin, Greek, full width and Arabic text. */
const QUESTION_AT_END = /[?\u037e？؟]["'”’»)\]]*\s*(?:\[[^[\]]{0,500}\]\s*)?$/u;
