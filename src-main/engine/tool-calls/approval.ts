import type { DescribedTool } from '#main/engine/step/flow-tool.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';

/** What a person answers who is asked whether a call may be made. */
export interface Approval {
  readonly approve: boolean;
  /** The input to call with instead. */
  readonly input?: Json;
  readonly reason?: string;
  /** Hash of the file as the person saw it (`ToolPreview.before_hash`). */
  readonly before_hash?: string | null;
}

/** Reads an answer that fits `approvalSchema`. Fields of the wrong type, which an altered record may contain, count as missing. */
export function readApproval(payload: Json): Approval {
  const { approve, input, reason, before_hash } = isJsonObject(payload) ? payload : {};
  return {
    approve: approve === true,
    ...(input !== undefined && { input }),
    ...(typeof reason === 'string' && { reason }),
    ...((typeof before_hash === 'string' || before_hash === null) && { before_hash }),
  };
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
