import type { Context } from '#main/engine/ports/context.ts';
import { findTool } from '#main/engine/ports/find-tool.ts';
import { nodeInside } from '#main/engine/step/frame-cursor.ts';
import type { FlowPlan } from '#main/engine/step/node-plan.ts';
import { unknownOutcomeSchema } from '#main/engine/step/unknown-outcome.ts';
import { readApproval } from '#main/engine/tool-calls/approval.ts';
import { freezeJson } from '#main/engine/values/freeze-json.ts';
import { compileSchema } from '#main/engine/values/schema-validator.ts';
import { isJsonObject, type Json, type JsonSchema } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { Control, TakenAnswer } from '#shared/run/snapshot.ts';

interface Question {
  readonly plan: FlowPlan;
  readonly control: Control;
  readonly ctx: Context;
  readonly toolId: string;
  readonly payload: Json;
  readonly callId: string | undefined;
}

/** Judges an answer before anything is touched. Throws what `FlowRuntime.resume` promises. */
export function acceptAnswer(question: Question): TakenAnswer {
  const suspension = matchSuspension(question);
  const { payload, plan } = question;
  const notJson = freezeJson(payload);
  if (notJson) throw schemaViolation(suspension, notJson.path, 'json', `holds ${notJson.message}`);
  const { reason } = suspension;
  if (reason === 'approval') assertApproval(question, suspension);
  else if (reason === 'unknown_outcome') assertFits(suspension, unknownOutcomeSchema, payload);
  else if (suspension.payload_schema !== undefined) assertFits(suspension, suspension.payload_schema as JsonSchema, payload);
  if (reason === 'suspend_node') assertFits(suspension, outputSchema(plan, suspension.node), payload);
  return { suspension, payload };
}

function matchSuspension({ control, toolId, callId }: Question): Suspension {
  const [first, ...others] = control.suspensions;
  if (!first || control.answers.length > 0) {
    throw new FlowError(
      'UnexpectedResumption',
      `The run does not wait for an answer${first ? ' yet: the last one has still to be worked through' : ''}, so ${toolId} cannot be answered.`,
      {
        tool_id: toolId,
        details: { tool_id: toolId },
      },
    );
  }
  const mismatch = (message: string) =>
    new FlowError('ResumeMismatchError', message, {
      node: first.node,
      tool_id: first.tool_id,
      details: { expected: first.tool_id, tool_call_id: first.tool_call_id, got: toolId },
    });
  if (toolId !== first.tool_id) throw mismatch(`The run waits for ${first.tool_id}, not for ${toolId}. Nothing was changed.`);
  if (callId !== undefined && callId !== first.tool_call_id) {
    throw mismatch(
      `The call ${callId} does not wait (any more); ${first.tool_id} now waits for call ${first.tool_call_id}. Nothing was changed.`,
    );
  }
  if (callId === undefined && others.some((other) => other.tool_id === toolId)) {
    throw mismatch(`Several calls wait for ${toolId}. Say which one is answered; the first is call ${first.tool_call_id}.`);
  }
  return first;
}

function assertApproval({ plan, payload, ctx }: Question, suspension: Suspension): void {
  assertFits(suspension, (suspension.payload_schema ?? true) as JsonSchema, payload);
  const name = isJsonObject(suspension.value) ? suspension.value.tool : undefined;
  const tool = typeof name === 'string' ? (nodeInside(plan, suspension.node)?.flowTools.get(name) ?? findTool(ctx, name)) : undefined;
  const edited = readApproval(payload).input;
  // The tool as it is now decides, should it have changed since it asked.
  if (tool && edited !== undefined) assertFits(suspension, tool.input_schema, edited, '/input');
}

function outputSchema(plan: FlowPlan, node: string): JsonSchema {
  return nodeInside(plan, node)?.outputs[0]?.schema ?? true;
}

function assertFits(suspension: Suspension, schema: JsonSchema, payload: Json, prefix = ''): void {
  const violation = compileSchema(schema)(payload);
  if (violation) throw schemaViolation(suspension, prefix + violation.path, violation.keyword, violation.message);
}

function schemaViolation(suspension: Suspension, path: string, keyword: string, message: string): FlowError {
  return new FlowError(
    'DeserializeError',
    `The answer to ${suspension.tool_id} is not what is asked for: ${message}. The run still waits.`,
    {
      node: suspension.node,
      tool_id: suspension.tool_id,
      details: { path, keyword },
    },
  );
}
