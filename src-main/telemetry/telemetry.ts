import { context } from '@opentelemetry/api';
import type { Telemetry } from '#main/engine/ports/telemetry.ts';
import { beginOperation } from './otel-operation.ts';

/** What traces and metrics contain, and which OpenTelemetry they go to. */
export interface TelemetryOptions {
  /** Whether spans have the contents of messages, inputs and results of tools, with known secrets masked. Default: false. */
  readonly content?: boolean;
}

/**
 * Traces and metrics of runs, for `createContext({ telemetry: telemetry() })`. They go to the providers that the program has registered with
 * `@opentelemetry/api`; without any, nothing is recorded. A run's span is a child of the span that is active where the run is driven.
 */
export function telemetry({ content = false }: TelemetryOptions = {}): Telemetry {
  return { content, begin: (start) => beginOperation(start, context.active()) };
}
