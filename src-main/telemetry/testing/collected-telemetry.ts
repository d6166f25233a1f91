import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, context, metrics, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** Collects in memory what is traced and measured in this process, as a program with OpenTelemetry's SDK does. One at a time. */
export class CollectedTelemetry implements Disposable {
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #reader = new PeriodicExportingMetricReader({ exporter: this.#metrics, exportIntervalMillis: 3_600_000 });

  constructor() {
    context.setGlobalContextManager(new AsyncContexts());
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: this.#spans })] }));
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [this.#reader] }));
  }

  /** Spans in the order in which they ended. */
  get spans(): readonly ReadableSpan[] {
    return this.#spans.getFinishedSpans();
  }

  /** The spans with this name. */
  named(name: string): readonly ReadableSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  /** The spans as a tree of names: each line is indented below its parent, in the order in which they began. */
  get tree(): readonly string[] {
    const below = (parent: string | undefined, depth: number): string[] =>
      this.spans
        .filter((span) => span.parentSpanContext?.spanId === parent)
        .toSorted((one, other) => nanoseconds(one) - nanoseconds(other))
        .flatMap((span) => [`${'  '.repeat(depth)}${span.name}`, ...below(span.spanContext().spanId, depth + 1)]);
    return below(undefined, 0);
  }

  /** Sum of what each histogram has measured, by name and the values of these attributes. */
  async measured(...attributes: readonly string[]): Promise<Readonly<Record<string, { readonly count: number; readonly sum: number }>>> {
    await this.#reader.forceFlush();
    const scopes = this.#metrics.getMetrics().at(-1)?.scopeMetrics ?? [];
    const points = scopes.flatMap(({ metrics: all }) =>
      all.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes: labels, value }) => {
          const { count, sum = 0 } = value as { readonly count: number; readonly sum?: number };
          return [[descriptor.name, ...attributes.map((name) => labels[name])].join(' ').trim(), { count, sum }] as const;
        }),
      ),
    );
    return Object.fromEntries(points);
  }

  [Symbol.dispose](): void {
    context.disable();
    trace.disable();
    metrics.disable();
  }
}

function nanoseconds({ startTime: [seconds, rest] }: ReadableSpan): number {
  return (seconds % 1_000_000) * 1e9 + rest;
}

/** Keeps the active context across awaits. */
class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with: ContextManager['with'] = (active, work, self, ...given) => this.#storage.run(active, () => work.apply(self, given));

  bind<Bound>(_active: Context, bound: Bound): Bound {
    return bound;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}
