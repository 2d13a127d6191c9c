import { seededRandom } from '../../support/fixtures/random.js';
import { pauseEnricher } from '../measuring/background.js';
import { withTarget } from '../measuring/run-bench.js';
import { fillViews } from './fill-views.js';
const [url, size, folder] = process.argv.slice(2);
await withTarget(
  { ...(url !== '-' && { url }), 'admin-token': 'bench-admin', ...(folder && { folder }) },
  async (target) => {
    await pauseEnricher(target);
    const at = performance.now();
    await fillViews(target, seededRandom(1), Number(size));
    console.log('filled in', (performance.now() - at) / 1000);
  },
);
