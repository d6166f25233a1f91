import { type Context, metrics, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type IdGenerator, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TraceContext } from '#main/platform/trace-context.ts';
import type { PostedOperation, RunTelemetry } from '#main/runner/posted-telemetry.ts';
import { version } from '#main/version.ts';
import { beginOperation, type TimedOperation } from './otel-operation.ts';

export interface ExporterOptions {
  /** Whether spans have contents: see `Telemetry.content`. */
  readonly content: boolean;
  /** What `service.name` is, unless the environment names another. */
  readonly service: string;
}

/** A request to a server, as a span. */
export interface TracedRequest {
  readonly context: TraceContext;
  end(status: number): void;
}

/**
 * Exports the operations of runs in threads, and requests, by OTLP over HTTP (JSON). The standard variables of the environment say where to
 * (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`, …).
 */
export class TelemetryExporter implements RunTelemetry {
  readonly content: boolean;
  readonly #ids = new ChosenIds();
  readonly #traces: TracerProvider;
  readonly #metrics: MeterProvider;
  readonly #open = new Map<string, { readonly operation: TimedOperation; readonly run_id: string }>();

  constructor({ content, service }: ExporterOptions) {
    this.content = content;
    const resource = defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] }));
    const spanProcessors = [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })];
    this.#traces = new TracerProvider({ resource, idGenerator: this.#ids, spanProcessors });
    this.#metrics = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })] });
    trace.setGlobalTracerProvider(this.#traces);
    metrics.setGlobalMeterProvider(this.#metrics);
  }

  readonly onOperation = (posted: PostedOperation): void => {
    if (posted.type === 'begin') this.#begin(posted);
    else {
      this.#open.get(posted.span_id)?.operation.end(posted.end, posted.time);
      this.#open.delete(posted.span_id);
    }
  };

  /** Begins the span of a request. `route` is the path without ids. */
  request(method: string, route: string, parent: TraceContext | undefined): TracedRequest {
    const attributes = { 'http.request.method': method, 'http.route': route };
    const options = { kind: SpanKind.SERVER, attributes };
    const span = this.#traces.getTracer('pravah', version).startSpan(`${method} ${route}`, options, contextOf(parent));
    return {
      context: placeOf(span),
      end: (status) => {
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  /** Sends what has not been sent yet. What the collector does not take is dropped. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#traces.shutdown(), this.#metrics.shutdown()]);
    trace.disable();
    metrics.disable();
  }

  #begin({ start, place, parent, time }: Extract<PostedOperation, { type: 'begin' }>): void {
    // Left by a thread that was terminated.
    if (start.kind === 'workflow') this.#abandon(start.run_id, time);
    this.#ids.next = place;
    const operation = beginOperation(start, contextOf(parent), time);
    this.#ids.next = undefined;
    this.#open.set(place.span_id, { operation, run_id: start.run_id });
  }

  #abandon(runId: string, time: number): void {
    for (const [id, { operation, run_id }] of this.#open) {
      if (run_id !== runId) continue;
      operation.end({ error: 'CANCELLED_SIGNAL' }, time);
      this.#open.delete(id);
    }
  }
}

/** Gives a span the ids that a run's thread has chosen for it. */
class ChosenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: TraceContext | undefined;

  generateTraceId = (): string => this.next?.trace_id ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.next?.span_id ?? this.#random.generateSpanId();
}

function contextOf(parent: TraceContext | undefined): Context {
  if (!parent) return ROOT_CONTEXT;
  const { trace_id: traceId, span_id: spanId, sampled } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE });
}

function placeOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { trace_id: traceId, span_id: spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}
