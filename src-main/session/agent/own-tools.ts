import type { Tool } from '#main/engine/ports/tool.ts';
import type { FlowTool } from '#main/engine/step/flow-tool.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { FinishedCall } from '#main/engine/tool-calls/tool-call-events.ts';
import { workspaceAsks } from '#main/engine/tool-calls/tool-policy.ts';
import { authorOf } from '#main/session/state/author.ts';
import { callPython } from '#main/session/state/call-python.ts';
import { type Session, type Writes, withWrites } from '#main/session/state/session.ts';
import { pyflowTool } from '#main/session/tools/pyflow-tool.ts';
import { pythonFailure } from '#main/session/tools/python-tool.ts';
import { withFloats } from '#main/session/tools/tool-result.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema, toJson } from '#shared/json.ts';
import { exitLoopTool, transferTool } from '#shared/pyflow/tools.ts';
import { floatJson } from '#shared/run/float-json.ts';
import { coerceAnswer } from './coerce.ts';

/** What an agent's settings say of its tools. */
export interface AgentTools {
  readonly rule: AgentSession;
  /** Full names of the tools that lie outside this program, by the names that the model uses. */
  readonly foreign: ReadonlyMap<string, string>;
}

/** The tools that an agent of a session finds under its own names: other agents, and the tools of ADK and PyFlow. */
export function ownTools(
  step: Step,
  { rule, foreign }: AgentTools,
  session: Session,
  writes: Writes,
): (name: string) => Tool | FlowTool | undefined {
  return (name) => {
    const full = foreign.get(name);
    if (name === transferTool) return transfer(rule);
    if (name === exitLoopTool) return exitLoop;
    const called = Object.entries(rule.agents ?? {}).find(([, agent]) => agent.name === name);
    if (!called && full?.startsWith('py:')) return projectTool(step, full, name, { ...session, ...withWrites(session, writes) });
    if (!called && full !== undefined) return operation(step, full, name);
    if (!called) return pyflowTool(step, name, [], withMark);
    const [flow, agent] = called;
    const tool = step.plan.flowTools.get(flow);
    return tool && agentTool(tool, agent, { ...session, ...withWrites(session, writes) });
  };
}

/** An operation of an API. The workspace's rules know it by its full name. */
function operation(step: Step, full: string, name: string): Tool | undefined {
  const tool = step.ctx.tools.get(full);
  return (
    tool && {
      ...withFloats(tool, [], withMark),
      name,
      ...(workspaceAsks(step.ctx.approve, full) && { admit: async () => 'always' as const }),
    }
  );
}

/** What a tool returned, with what it wrote into `tool_context.state`. A mark of its own, so that no tool's own result is mistaken for it. */
const marker = 'pravah:written';

/** A tool of the project, which reads and writes the state. */
function projectTool(step: Step, full: string, name: string, { state, floats = [] }: Session): Tool | undefined {
  const tool = step.ctx.tools.get(full);
  if (!tool) return undefined;
  return {
    ...tool,
    name,
    call: async (input, { run_id, tool_call_id }) => {
      const about = { agent: authorOf(step), invocation_id: run_id, tool_call_id };
      const call = {
        kind: 'tool',
        name: full.slice('py:'.length),
        kwargs: { value: input, floats: [] },
        state: { value: state, floats },
        about,
      } as const;
      const outcome = await callPython(step, call);
      if ('error' in outcome) throw pythonFailure(outcome.error);
      const { value, floats: own, writes } = outcome;
      return Object.keys(writes).length + own.length === 0 ? value : { [marker]: toJson(writes), value, floats: [...own] };
    },
  };
}

/** A result with its floats, in the same form. */
function withMark(value: Json, floats: readonly string[]): Json {
  return { [marker]: {}, value, floats: [...floats] };
}

/** A finished call of a tool as the model sees it, and what the tool wrote. */
export function writtenByTool(call: FinishedCall): { call: FinishedCall; writes: Writes } {
  const { value } = call.result;
  if (!isJsonObject(value) || !isJsonObject(value[marker])) return { call, writes: {} };
  const writes: unknown = value[marker];
  const floats = Array.isArray(value.floats) && value.floats.length > 0 ? { floats: value.floats.map(String) } : {};
  return { call: { ...call, result: { ...call.result, value: value.value ?? null, ...floats } }, writes: writes as Writes };
}

const nothing = (): Json => null;

const exitLoop: Tool = {
  name: exitLoopTool,
  description: 'Ends the loop that you are part of. Call it only when your instructions say so, and say nothing more.',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
  effect: 'none',
  approve: 'never',
  call: nothing,
};

function transfer({ transfer: agents = [] }: AgentSession): Tool {
  return {
    name: transferTool,
    description: 'Hands the conversation over to another agent, which then answers the user.',
    input_schema: {
      type: 'object',
      properties: { agent_name: { enum: agents.map(({ name }) => name), description: 'The agent that is to answer' } },
      required: ['agent_name'],
    },
    effect: 'none',
    approve: 'never',
    call: nothing,
  };
}

/** The flow of an agent: its input is one text, or the fields of its `input_schema`. It gets a copy of the state and no events. */
function agentTool(tool: FlowTool, agent: NonNullable<AgentSession['agents']>[string], { state, floats }: Session): FlowTool {
  const { name, description, input_schema } = agent;
  const request: JsonSchema = {
    type: 'object',
    properties: { request: { type: 'string', description: 'What the agent is asked' } },
    required: ['request'],
  };
  return {
    ...tool,
    name,
    description: description ?? `Asks the agent "${name}".`,
    input_schema: input_schema ? { ...input_schema, type: 'object' } : request,
    inputOf: (input) => ({
      message: input_schema ? asJson(input_schema, input) : (input.request as string),
      state,
      ...(floats && { floats: [...floats] }),
    }),
  };
}

/** The arguments as the JSON text that PyFlow's agents hear: read by the schema, without spaces. */
function asJson(schema: JsonObject, input: JsonObject): string {
  const read = coerceAnswer(schema, input);
  return 'problem' in read ? JSON.stringify(input) : floatJson(read);
}
