// The package's `pravah-studio/runtime`: the engine and flows in code, without Electron and the studio.
// Models, tools, documents and the journal are loaded lazily.

export { type AgentCallOptions, callAgent } from '#main/api/call-agent.ts';
export type { ContextOptions, ProgramSettings } from '#main/api/context-options.ts';
export { createContext } from '#main/api/create-context.ts';
export { type DocumentOptions, loadDocument } from '#main/api/load-document.ts';
export { openJournal } from '#main/api/open-journal.ts';
export type { RecordedRun, RunJournal } from '#main/api/run-journal.ts';
export { defineFlow, type FlowBuilder, type FlowHead } from '#main/builder/define-flow.ts';
export { type DefinedTool, defineTool, type ToolCallContext, type ToolParts } from '#main/builder/define-tool.ts';
export type { Flow, FlowContext, HandlerOptions, NodeOptions } from '#main/builder/flow-types.ts';
export { left, right, type Sides } from '#main/builder/sides.ts';
export { jsonSchema, type State, state, type TypedJsonSchema } from '#main/builder/state.ts';
export type { ModelClient, ModelClients, ModelRequest, ModelResponse } from '#main/models/model-client.ts';
export type { Clock, CommandRule, Context } from '#main/runtime/context.ts';
export { FlowRuntime } from '#main/runtime/flow-runtime.ts';
export type { Effect, EffectOutcome, Recorder, StepRecord } from '#main/runtime/recorder.ts';
export type { RestoreOptions, ResumeOptions, RuntimeOptions } from '#main/runtime/runtime-options.ts';
export type { Tool, ToolContext } from '#main/tools/tool.ts';
export type { ComparedStep, Divergence, Redaction, ReplayReport, WholeComparison as RunComparison } from '#shared/contract/time-travel.ts';
export type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
export type { Problem } from '#shared/flow/problem.ts';
export { analyse, type Soundness } from '#shared/flow/soundness/analyse.ts';
export type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
export { FlowError, ToolError, type TransferableError } from '#shared/runtime/error.ts';
export type { RunEvent, Suspension } from '#shared/runtime/event.ts';
export type { History, Message } from '#shared/runtime/message.ts';
export type { RunOutcome, Snapshot } from '#shared/runtime/snapshot.ts';
export type { SystemRequest, SystemResponse, ToolCallMade } from '#shared/runtime/system-request.ts';
