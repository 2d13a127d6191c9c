/** Recognises the same text written twice, pure: what is left of a content when case, punctuation and markup are gone. */
const FINGERPRINT_LENGTH = 320;

/** Null when nothing is left, so that such contents are never taken for each other. Letters of every script count. */
export function contentFingerprint(content: string): string | null {
  const words = content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  return words === '' ? null : words.slice(0, FINGERPRINT_LENGTH);
}
