import type { StartCodeProcess } from '#main/engine/ports/code-process.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { PythonProcess } from '#main/engine/ports/python-process.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import type { NodeBody } from '#shared/flow/graph.ts';
import type { EvaluateBody, MakePerformer } from './node-plan.ts';

/** Loads the agent loop, on the first step of an agent: it is larger than most flows need. */
export type LoadAgentLoop = () => Promise<MakePerformer>;

/** Loads what evaluates the `session` bodies of imported workflows. */
export type LoadSessionBodies = () => Promise<(body: Extract<NodeBody, { type: 'session' }>) => EvaluateBody>;

/** Loads the sandbox of JavaScript bodies. */
export type LoadSandboxBodies = () => Promise<(body: Extract<NodeBody, { type: 'run' }>) => EvaluateBody>;

/** What evaluates bodies in the workspace's own files. */
export type CodeBodies = { readonly [Type in 'module' | 'handler']: (body: Extract<NodeBody, { type: Type }>) => EvaluateBody };

/** Loads what evaluates bodies in the workspace's own files. */
export type LoadCodeBodies = () => Promise<CodeBodies>;

/**
 * A context as the engine reads it: with the parts that run nodes on the engine's behalf. They are registered here, so that the engine
 * imports neither; a flow that needs one that is missing fails with `BuildError`.
 */
export interface RunContext extends Context {
  /** The built-in tools among `tools`: those that write ask before they run in requests and chats. */
  readonly builtIn?: ReadonlySet<Tool>;
  /** Runs agent nodes. The same function for all contexts of a process, since what it loads is cached by it. */
  readonly agentLoop?: LoadAgentLoop;
  /** Evaluates `session` bodies. The same function for all contexts of a process. */
  readonly sessionBodies?: LoadSessionBodies;
  /** Runs agent nodes with a `session`. The same function for all contexts of a process. */
  readonly sessionAgents?: LoadAgentLoop;
  /** Evaluates JavaScript bodies. The same function for all contexts of a process. */
  readonly sandboxBodies?: LoadSandboxBodies;
  /** Evaluates bodies in the workspace's own files. The same function for all contexts of a process. */
  readonly codeBodies?: LoadCodeBodies;
  /** Loads what starts the process for handlers and modules in the workspace's own files. */
  readonly codeProcess?: () => Promise<StartCodeProcess>;
  /** Runs Python functions of imported workflows, in a trusted folder. */
  readonly python?: PythonProcess;
}
