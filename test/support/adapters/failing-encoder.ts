/**
 * An encoder process that exits on the text `end`, never answers the text `hang`, and answers other batches with one
 * component per text.
 */
import type { EncoderMessage, EncoderRequest } from '../../../shared/engines/models/bundled/encoder-process.js';

process.on('disconnect', () => process.exit());
process.on('message', ({ texts }: EncoderRequest) => {
  if (texts.includes('end')) process.exit(1);
  if (texts.includes('hang')) return;
  send({ kind: 'encoded', vectors: texts.map((text) => Float32Array.of(text.length)) });
});
send({ kind: 'ready', runtime: 'none' });

function send(message: EncoderMessage): void {
  process.send?.(message);
}
