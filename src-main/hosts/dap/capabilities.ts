import type { DebugProtocol } from '@vscode/debugprotocol';

/** Places at which a run stops besides breakpoints. */
export const exceptionFilters = [
  { filter: 'failed', label: 'Failed steps', description: 'Stop where a step fails; the step can be repeated.', default: true },
  { filter: 'tool_errors', label: 'Tool errors', description: 'Stop after a failed tool call that only the model sees.', default: false },
  { filter: 'waiting', label: 'Questions', description: 'Stop where the run waits for an answer.', default: true },
] as const satisfies DebugProtocol.ExceptionBreakpointsFilter[];

export type ExceptionFilter = (typeof exceptionFilters)[number]['filter'];

/** What the adapter can do. Each entry is driven by a test. */
export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsDataBreakpoints: true,
  exceptionBreakpointFilters: [...exceptionFilters],
  supportsExceptionInfoRequest: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsStepBack: true,
  supportsStepInTargetsRequest: true,
  supportsDelayedStackTraceLoading: true,
  supportsTerminateRequest: true,
  supportTerminateDebuggee: true,
  supportsRestartRequest: true,
};
