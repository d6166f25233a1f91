// The package's `pravah/otel`: traces and metrics of runs by OpenTelemetry.

export type { Telemetry } from '#main/engine/ports/telemetry.ts';
export { type TelemetryOptions, telemetry } from '#main/telemetry/telemetry.ts';
