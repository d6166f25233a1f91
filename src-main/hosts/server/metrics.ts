import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricSources {
  /** Number of open streams. */
  readonly streams: () => number;
  /** Number of runs in memory. */
  readonly runs: () => Promise<number>;
}

/** What a server counts, in the text format of Prometheus. No label holds an id. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly #events: Counter;

  constructor({ streams, runs }: MetricSources) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'pravah_http_request_duration_seconds',
      help: 'Time to answer a request',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#events = new Counter({ name: 'pravah_stream_events_total', help: 'Events sent to streams', registers });
    new Gauge({
      name: 'pravah_open_streams',
      help: 'Open streams',
      registers,
      collect() {
        this.set(streams());
      },
    });
    new Gauge({
      name: 'pravah_loaded_runs',
      help: 'Runs in memory',
      registers,
      async collect() {
        this.set(await runs());
      },
    });
  }

  /** Counts an answered request. `seconds` is how long it took. */
  answered(method: string, path: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route: routeOf(path), status: String(status) }, seconds);
  }

  sentEvent(): void {
    this.#events.inc();
  }

  get type(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** A path without what differs from request to request. */
export function routeOf(path: string): string {
  if (path.startsWith('/v1/flows/')) return '/v1/flows/{name}';
  const known = path.replace(/\/[0-9a-f]{8}-[0-9a-f-]{27}/g, '/{id}').replace(/\/\d+$/, '/{seq}');
  return /^\/(v1\/(flows|runs|tokens|info|me)|mcp|health|ready|metrics|openapi\.json|swagger-ui)(\/|$)/.test(known)
    ? known.replace(/^(\/v1\/tokens)\/.*/, '$1/{id}')
    : 'other';
}
