/** `palimpsest serve`: the embedded composition, like `npm start`. */
import { type Define, examples } from '../host.js';

export const define: Define = (command) =>
  command
    .description(
      'Run the whole service in one process, with its data in PALIMPSEST_DATA_DIR (./data) and its API on PORT (8001). Variables and `.env` files configure it.',
    )
    .addHelpText('after', examples('serve', 'serve    # after `export PORT=9001 SERVICE_API_TOKEN=my-secret`'))
    .action(async () => void (await import('../../embedded/main.js')));
