import type { AgentSettings } from '#shared/flow/document.ts';
import type { NodeBody, ProgramFunction } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { FlowContext } from './flow-types.ts';

type Guards = NonNullable<AgentSettings['guards']>;
type InputGuard = NonNullable<Guards['input']>[number];
type OutputGuard = NonNullable<Guards['output']>[number];
type AgentBody = Extract<NodeBody, { type: 'agent' }>;

/** What a check in code says: whether the value passes, and why not, for the model or the person that is told. */
export interface GuardVerdict {
  readonly pass: boolean;
  readonly reason?: string;
}

/** Checks what goes into an agent, or comes out of it. What it returns is recorded; a replay does not call it. */
export type GuardFunction = (value: Json, ctx: FlowContext) => GuardVerdict | Promise<GuardVerdict>;

/** A check of a document. Functions have a name, too, but are not checks of a document. */
type Written<Guard> = Guard & { readonly check?: never; readonly call?: never };

/** Checks of an agent in code: those of documents, functions, and functions with a name and with what follows if they fail. */
export interface GuardsInCode {
  readonly input?: readonly (
    | Written<InputGuard>
    | GuardFunction
    | { readonly name: string; readonly check: GuardFunction; readonly on_fail?: InputGuard['on_fail'] }
  )[];
  readonly output?: readonly (
    | Written<OutputGuard>
    | GuardFunction
    | { readonly name: string; readonly check: GuardFunction; readonly on_fail?: OutputGuard['on_fail'] }
  )[];
}

/** Settings of an agent for one input. `tools`: names of those that it has for it, a part of its list. Braces in texts insert nothing. */
export interface SettingsForInput {
  readonly model?: string;
  readonly preamble?: string;
  readonly prompt?: string;
  readonly memory?: string;
  readonly params?: AgentSettings['params'];
  readonly limits?: AgentSettings['limits'];
  readonly tools?: readonly string[];
}

/** Gives an agent settings for an input. Asked once a visit; what it returns is recorded, and a replay does not call it. */
export type SettingsFunction = (input: Json, ctx: FlowContext) => SettingsForInput | Promise<SettingsForInput>;

/** Splits the checks of an agent into those of a document and the functions among them. */
export function splitGuards(guards: GuardsInCode | undefined): {
  readonly guards?: Guards;
  readonly functions: Pick<AgentBody, 'guard_functions'>;
} {
  if (!guards) return { functions: {} };
  const functions: Record<string, ProgramFunction> = {};
  const split = (stage: 'input' | 'output') =>
    guards[stage]?.map((guard, index) => {
      if (typeof guard !== 'function' && guard.check === undefined) return guard;
      const call = typeof guard === 'function' ? guard : guard.check;
      functions[`${stage}/${index}`] = programFunctionOf(call);
      if (typeof guard === 'function') return { name: guard.name || `${stage} ${index + 1}` };
      const { check: _call, ...named } = guard;
      return named;
    });
  const [input, output] = [split('input'), split('output')];
  return {
    guards: { ...(input && { input: input as InputGuard[] }), ...(output && { output: output as OutputGuard[] }) },
    functions: Object.keys(functions).length > 0 ? { guard_functions: functions } : {},
  };
}

/** A function of an agent as its body has it. */
export function programFunctionOf(call: ProgramFunction['call']): ProgramFunction {
  return { type: 'function', call, pure: true, tools: [] };
}
