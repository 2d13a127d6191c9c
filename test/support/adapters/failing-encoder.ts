/**
 * An encoder process that exits on the text `end`, never answers the text `hang`, takes SLOW_MS for the text `slow`,
 * and answers other batches. The second component of a vector is the length of the text, as a multiple of the first.
 */
import type { EncoderMessage, EncoderRequest } from '../../../shared/engines/models/bundled/encoder-process.js';

const SLOW_MS = 1_000;

process.on('disconnect', () => process.exit());
process.on('message', ({ texts }: EncoderRequest) => {
  if (texts.includes('end')) process.exit(1);
  if (texts.includes('hang')) return;
  const answer = (): void => send({ kind: 'encoded', vectors: texts.map((text) => Float32Array.of(1, text.length)) });
  if (texts.includes('slow')) setTimeout(answer, SLOW_MS);
  else answer();
});
send({ kind: 'ready', runtime: 'none' });

function send(message: EncoderMessage): void {
  process.send?.(message);
}
