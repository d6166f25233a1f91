import {
  type Context,
  context,
  type Histogram,
  type Link,
  type MeterProvider,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { OperationEnd, OperationStart, RunningOperation, SpanPlace } from '#main/engine/ports/telemetry.ts';
import { version } from '#main/version.ts';
import { metrics as metricNames, attributeNames as names, operationNames, schemaUrl } from './conventions.ts';
import { endAttributes, modelAttributes, spanName, startAttributes } from './span-attributes.ts';

/** An operation with its span. `ended`: milliseconds since 1970. Default: now. */
export interface TimedOperation extends RunningOperation {
  end(end: OperationEnd, ended?: number): void;
}

/** Begins an operation below `parent`. Times are in milliseconds since 1970. */
export function beginOperation(start: OperationStart, parent: Context, began = now()): TimedOperation {
  const kind = start.kind === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const span = trace
    .getTracerProvider()
    .getTracer('pravah', version, { schemaUrl })
    .startSpan(spanName(start), { kind, attributes: startAttributes(start), links: linksOf(start), startTime: began }, parent);
  const inside = trace.setSpan(parent, span);
  return {
    place: placeOf(span),
    begin: (inner) => beginOperation(inner, inside),
    within: (work) => context.with(inside, work),
    end(end, ended = now()) {
      span.setAttributes(endAttributes(start, end));
      if (end.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(ended);
      if (start.kind === 'model') measure(start, end, (ended - began) / 1000);
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function placeOf(span: Span): SpanPlace {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

function linksOf({ previous }: OperationStart): Link[] {
  return previous ? [{ context: { traceId: previous.trace_id, spanId: previous.span_id, traceFlags: TraceFlags.SAMPLED } }] : [];
}

interface Instruments {
  readonly tokens: Histogram;
  readonly duration: Histogram;
}

const instruments = new WeakMap<MeterProvider, Instruments>();

function instrumentsOf(provider: MeterProvider): Instruments {
  const known = instruments.get(provider);
  if (known) return known;
  const meter = provider.getMeter('pravah', version, { schemaUrl });
  const histogram = ({ name, description, unit, boundaries }: (typeof metricNames)[keyof typeof metricNames]) =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: [...boundaries] } });
  const made = { tokens: histogram(metricNames.tokens), duration: histogram(metricNames.duration) };
  instruments.set(provider, made);
  return made;
}

function measure({ kind, name }: OperationStart, { usage, error }: OperationEnd, seconds: number): void {
  const { tokens, duration } = instrumentsOf(metrics.getMeterProvider());
  const labels = { [names.operation]: operationNames[kind], ...modelAttributes(name) };
  duration.record(seconds, error === undefined ? labels : { ...labels, [names.error]: error });
  if (!usage) return;
  tokens.record(usage.tokens_in, { ...labels, [names.tokenType]: 'input' });
  tokens.record(usage.tokens_out, { ...labels, [names.tokenType]: 'output' });
}
