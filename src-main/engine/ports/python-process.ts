import type { Json, JsonObject } from '#shared/json.ts';

/** A value of Python as JSON. `floats` are JSON Pointers to its floats of integral value, which JSON cannot tell from integers. */
export interface PythonValue {
  readonly value: Json;
  readonly floats: readonly string[];
}

/** A call of the user's Python. */
export interface PythonCall {
  /** `code`: a function by its dotted name. `callback`: one that is registered under a name, or a dotted name. `tool`: a tool of the project. */
  readonly kind: 'code' | 'tool' | 'callback';
  readonly name: string;
  /** The flow that calls, relative to the workspace: the project is found from it. */
  readonly flow: string | undefined;
  readonly kwargs: { readonly value: JsonObject; readonly floats: readonly string[] };
  /** A copy of the session's state for the call's context. */
  readonly state?: { readonly value: JsonObject; readonly floats: readonly string[] };
  /** Of a callback: when it runs, and what it gets besides the context. Default: `before_agent`. */
  readonly hook?: string;
  readonly payload?: JsonObject;
  /** Other attributes of the call's context. */
  readonly about?: { readonly agent?: string; readonly invocation_id?: string; readonly tool_call_id?: string };
}

/** An exception of the user's code. */
export interface PythonException {
  readonly type: string;
  readonly message: string;
  readonly traceback: string;
}

/** The outcome of a call. */
export type PythonOutcome =
  | (PythonValue & { readonly writes: Readonly<Record<string, PythonValue>> })
  | { readonly error: PythonException }
  /** The result contains a value that JSON cannot carry: why, as a sentence. */
  | { readonly not_json: string };

/** What a call needs of the run. */
export interface PythonCaller {
  readonly signal: AbortSignal;
  /** Receives what the code prints, line by line. */
  log(line: string): void;
}

/** A tool that the project defines in Python. */
export interface PythonTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

/** The tools of a project, and why files of it cannot be imported. */
export interface PythonTools {
  readonly tools: readonly PythonTool[];
  readonly problems: readonly string[];
}

/** The process in which a trusted folder's Python runs. It is started by the first call, and again by the next call after it has ended. */
export interface PythonProcess {
  /**
   * Throws `ToolError` `Timeout`, `FlowError` `Cancelled`, `HandlerError` where the process ends or answers too much, and `BuildError` without a
   * Python interpreter.
   */
  call(call: PythonCall, caller: PythonCaller): Promise<PythonOutcome>;
  /** Imports the project's tools, and functions by their dotted names. Throws as `call` does. */
  tools(flow: string | undefined, dotted?: readonly string[]): Promise<PythonTools>;
  /** Why a function cannot be called with these keyword arguments; null if it can. Imports its module. Throws as `call` does. */
  check(flow: string | undefined, name: string, keys: readonly string[]): Promise<string | null>;
  /** Ends the process. */
  close(): void;
}
