/** The task `identity`: entities get a text about who or what they are. It needs a language model, so it is off by default. */
import type { RunTask } from './task.js';

export function createRunIdentity(): RunTask {
  return () => Promise.resolve({ skipped: true, reason: 'Identity synthesis is disabled' });
}
