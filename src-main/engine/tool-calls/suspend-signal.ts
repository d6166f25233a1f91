import type { Json, JsonSchema } from '#shared/json.ts';

/** Thrown by `ToolContext.suspend` and caught by the engine; it never leaves a tool's call. */
export class SuspendSignal extends Error {
  readonly value: Json;
  readonly payloadSchema: JsonSchema | undefined;

  constructor(value: Json, payloadSchema: JsonSchema | undefined) {
    super('The tool waits for an answer.');
    this.value = value;
    this.payloadSchema = payloadSchema;
  }
}
