/**
 * Flows in code without files, sandbox and journal, for browsers, workers and edge runtimes.
 *
 * @module pravah/engine
 */

export { FlowRuntime } from '#main/engine/flow-runtime.ts';
export type { Clock, Context } from '#main/engine/ports/context.ts';
export type { ModelClient, ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
export type { Tool } from '#main/engine/ports/tool.ts';
export { defineFlow, type FlowBuilder } from '#main/sdk/builder/define-flow.ts';
export { type DefinedTool, defineTool } from '#main/sdk/builder/define-tool.ts';
export { flowTool } from '#main/sdk/builder/flow-tool.ts';
export { type Flow, type FlowContext, services } from '#main/sdk/builder/flow-types.ts';
export { left, right } from '#main/sdk/builder/sides.ts';
export { jsonSchema, type State, state } from '#main/sdk/builder/state.ts';
export { Run } from '#main/sdk/run/run.ts';
export type { RunResult } from '#main/sdk/run/run-result.ts';
export { analyse, type Soundness } from '#shared/flow/soundness/analyse.ts';
export type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
export { FlowError, isFlowError, isToolError, ToolError, type TransferableError } from '#shared/run/error.ts';
export type { RunEvent, Suspension } from '#shared/run/event.ts';
export type { History, Message } from '#shared/run/message.ts';
export { MessageAccumulator } from '#shared/run/message-accumulator.ts';
export type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
export type { SystemRequest, SystemResponse } from '#shared/run/system-request.ts';
export { type AskOptions, ask } from './ask.ts';
export { callAgent } from './call-agent.ts';
export { Chat, type ChatOptions, type ChatReply, createChat } from './create-chat.ts';
export { createContext, type EngineContextOptions } from './engine-context.ts';
