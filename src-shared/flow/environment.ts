import type { StripTypes } from '#shared/flow/source/strip-types.ts';
import type { Json } from '#shared/json.ts';
import type { FlowGraph } from './graph.ts';
import type { Problem } from './problem.ts';

/** The text of a workspace file, or why it is not available. */
export type FileReading =
  | { readonly ok: true; readonly text: string }
  /** `outside`: its real path leaves the workspace. `unreadable`: it is there, and `message` says what is wrong. */
  | { readonly ok: false; readonly reason: 'missing' | 'outside' | 'unreadable'; readonly message: string };

/** A flow in code as its file exports it, or what is wrong with it. */
export interface CodeFlowReading {
  readonly graph: FlowGraph | null;
  readonly problems: readonly Problem[];
}

/** What building a flow needs to know of the world around the document. */
export interface FlowEnvironment {
  /** Reads a file of the workspace. `path` is relative to the workspace, normalised, with `/`. */
  readFile(path: string): FileReading;
  readonly trusted: boolean;
  /** Names of the tools that are built in. */
  readonly tools: ReadonlySet<string>;
  /** Names of the MCP servers that `pravah.json` has. */
  readonly mcpServers: ReadonlySet<string>;
  /** Names of the APIs that the folder's settings have. */
  readonly openApiNames?: readonly string[];
  /** The operations of an API, or why it cannot be called; null for a name that the settings do not have. */
  openApi?(name: string): { readonly operations: readonly string[] } | { readonly problem: string } | null;
  /** What is wrong with a JSON Schema, and where in it (JSON Pointer); null when it can be used. */
  checkSchema(schema: Json): { readonly path: string; readonly message: string } | null;
  readonly stripTypes: StripTypes;
  /**
   * A flow in code that the document names, which is loaded before the build: it needs its own process. Absent where no code is loaded, as for a recorded
   * flow. Null: the file is not loaded yet, and the flow is built again once it is.
   */
  codeFlow?(path: string): CodeFlowReading | null;
  /** SHA-256 of a text's UTF-8 bytes, in hex. */
  sha256(text: string): string;
}
