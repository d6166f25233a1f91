import type { DescribedTool } from '#main/engine/step/flow-tool.ts';
import type { Json, JsonSchema } from '#shared/json.ts';

/** What a person answers who is asked whether a call may be made. */
export interface Approval {
  readonly approve: boolean;
  /** The input to call with instead. */
  readonly input?: Json;
  readonly reason?: string;
  /** Hash of the file as the person saw it (`ToolPreview.before_hash`). */
  readonly before_hash?: string | null;
}

/** JSON Schema of an `Approval` of one tool's call. */
export function approvalSchema(tool: DescribedTool): JsonSchema {
  return {
    type: 'object',
    properties: {
      approve: { type: 'boolean', title: 'Approve' },
      input: { ...(typeof tool.input_schema === 'object' ? tool.input_schema : {}), title: 'Input' },
      reason: { type: 'string', title: 'Reason' },
      before_hash: { type: ['string', 'null'] },
    },
    required: ['approve'],
    additionalProperties: false,
  };
}
