/**
 * Traces and metrics of runs by OpenTelemetry.
 *
 * @module pravah/otel
 */

export type { Telemetry } from '#main/engine/ports/telemetry.ts';
export { type TelemetryOptions, telemetry } from '#main/telemetry/telemetry.ts';
