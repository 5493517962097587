import http from 'node:http';
import { collectDefaultMetrics } from 'prom-client';
import { ConfigError, type Config } from '#server/platform/config.ts';
import { DatabaseCounts, type CountParts } from './counts.ts';
import type { Metrics } from './metrics.ts';

/** Figures of the process itself. The library has more of them; these are the ones that an operator looks at. */
const PROCESS_FIGURES = new Set([
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_gc_duration_seconds',
  'nodejs_heap_size_used_bytes',
  'process_cpu_seconds_total',
  'process_open_fds',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
]);

const REQUEST_TIMEOUT_MS = 10_000;

export interface MetricsServer {
  port: number;
  counts: DatabaseCounts;
  close: () => Promise<void>;
}

function addProcessFigures({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) {
    const isOwn = name.startsWith('callboard_');
    if (!isOwn && !PROCESS_FIGURES.has(name)) registry.removeSingleMetric(name);
  }
}

/**
 * Serves `GET /metrics` on a port of its own, so that the proxy of the app cannot pass it on by mistake.
 * @throws ConfigError when the port cannot be opened
 */
export async function serveMetrics(
  { port, host }: NonNullable<Config['metrics']>,
  metrics: Metrics,
  parts: CountParts,
): Promise<MetricsServer> {
  addProcessFigures(metrics);
  const counts = new DatabaseCounts(parts);
  const server = http.createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    Promise.all([metrics.registry.metrics(), counts.print()]).then(
      (texts) => {
        const headers = { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' };
        response.writeHead(200, headers).end(texts.join('\n'));
      },
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, counts.close()]);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    await close();
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`Cannot listen on ${host}:${port} (${code}); set METRICS_PORT and METRICS_HOST to others`);
  }
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : port, counts, close };
}
