/**
 * The engine, flows in code, agents, chats and the journal, without Electron and the studio. Models, tools, documents and the journal are loaded
 * lazily. `pravah-studio/runtime` is the same.
 *
 * @module pravah
 */

export { FlowRuntime } from '#main/engine/flow-runtime.ts';
export type { Clock, CommandRule, Context } from '#main/engine/ports/context.ts';
export type { ConversationHolder, ConversationStore, StoredConversation } from '#main/engine/ports/conversation-store.ts';
export type { ModelClient, ModelClients, ModelRequest, ModelResponse } from '#main/engine/ports/model-client.ts';
export type { Effect, EffectOutcome, Recorder, StepRecord } from '#main/engine/ports/recorder.ts';
export type { Tool, ToolContext } from '#main/engine/ports/tool.ts';
export type { ToolCallContext } from '#main/engine/ports/tool-call-context.ts';
export type { RestoreOptions, ResumeOptions, RuntimeOptions } from '#main/engine/step/runtime-options.ts';
export type { CallRate } from '#main/models/call-rate.ts';
export type { ProviderLimits, RetryRule } from '#main/models/retry.ts';
export { withRetry } from '#main/models/with-retry.ts';
export type {
  GuardFunction,
  GuardsInCode,
  GuardVerdict,
  SettingsForInput,
  SettingsFunction,
} from '#main/sdk/builder/agent-functions.ts';
export { defineFlow, type FlowBuilder, type FlowHead } from '#main/sdk/builder/define-flow.ts';
export { type DefinedTool, defineTool, type ToolParts } from '#main/sdk/builder/define-tool.ts';
export type { FlowMethods, StartOptions } from '#main/sdk/builder/flow-methods.ts';
export {
  type AgentOptions,
  type ContextInCode,
  type ControlFunction,
  type FlowToolOptions,
  type FlowUse,
  flowTool,
  type SummaryFunction,
} from '#main/sdk/builder/flow-tool.ts';
export {
  type AskingContext,
  type Flow,
  type FlowContext,
  type HandlerOptions,
  type NodeOptions,
  type ServiceTypes,
  services,
  type ToolFunctions,
} from '#main/sdk/builder/flow-types.ts';
export type { PlanInCode, PlanMade, Planner, StepTypeInCode } from '#main/sdk/builder/plan-options.ts';
export { left, right, type Sides } from '#main/sdk/builder/sides.ts';
export { jsonSchema, type State, state, type TypedJsonSchema } from '#main/sdk/builder/state.ts';
export type { Overflow } from '#main/sdk/run/event-queue.ts';
export type { EventStream, StreamOptions } from '#main/sdk/run/event-stream.ts';
export { Run } from '#main/sdk/run/run.ts';
export type { RunResult } from '#main/sdk/run/run-result.ts';
export type { ComparedStep, Divergence, Redaction, ReplayReport, WholeComparison as RunComparison } from '#shared/contract/time-travel.ts';
export type { Capability } from '#shared/flow/capabilities/capability.ts';
export type { DiagramOptions } from '#shared/flow/diagram/diagram.ts';
export type { FlowGraph, NamedState } from '#shared/flow/graph.ts';
export type { Problem } from '#shared/flow/problem.ts';
export { analyse, type Soundness } from '#shared/flow/soundness/analyse.ts';
export type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
export type { ConversationSummary } from '#shared/run/conversation-summary.ts';
export {
  FlowError,
  type FlowErrorVariant,
  isFlowError,
  isToolError,
  ToolError,
  type ToolErrorVariant,
  type TransferableError,
} from '#shared/run/error.ts';
export type { AheadEvent, RunEvent, Suspension } from '#shared/run/event.ts';
export type { ControlPoint, Decision, LoopState } from '#shared/run/loop-state.ts';
export type { ConversationEntry, History, Message } from '#shared/run/message.ts';
export { type AssistantMessage, type ContentItem, MessageAccumulator } from '#shared/run/message-accumulator.ts';
export { type PraxisEvent, toPraxis } from '#shared/run/praxis-event.ts';
export type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
export type { SummarisedEntry, Summary, SummaryRequest } from '#shared/run/summary-request.ts';
export type {
  ExecutionContext,
  ExecutionState,
  PlanStepMade,
  SystemRequest,
  SystemResponse,
  ToolCallMade,
} from '#shared/run/system-request.ts';
export { type AskOptions, ask } from './ask.ts';
export { type AgentCall, type AgentCallOptions, callAgent } from './call-agent.ts';
export { capabilities } from './capabilities.ts';
export type { ContextOptions, ProgramSettings } from './context-options.ts';
export { Chat, type ChatOptions, type ChatReply, createChat, type SendOptions } from './create-chat.ts';
export { createContext } from './create-context.ts';
export { diagram } from './diagram.ts';
export { type DocumentOptions, loadDocument } from './load-document.ts';
export { memoryConversations } from './memory-conversations.ts';
export { openJournal } from './open-journal.ts';
export type { RunConversations } from './run-conversations.ts';
export type { RecordedRun, RunJournal } from './run-journal.ts';
