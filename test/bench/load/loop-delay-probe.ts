/**
 * Preloaded into a measured service: on SIGUSR2 prints the event loop's delay since the last signal, and resets the
 * histogram.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  process.on('SIGUSR2', () => {
    const at = (percentile: number): string => (histogram.percentile(percentile) / 1e6).toFixed(1);
    process.stderr.write(`loop delay p50 ${at(50)} ms, p95 ${at(95)} ms, p99 ${at(99)} ms\n`);
    histogram.reset();
  });
}
