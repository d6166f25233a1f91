import type { AgentSettings } from '#shared/flow/document.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import type { CompiledNode, Compiler } from '#shared/pyflow/compiler.ts';
import { agentHooks } from '#shared/pyflow/hooks.ts';
import { modelUrl } from '#shared/pyflow/model-url.ts';
import { listedOperations } from '#shared/pyflow/project.ts';
import { adkTools, geminiTools, platformTools, transferTool } from '#shared/pyflow/tools.ts';
import type { ListedTool, LlmAgent } from '#shared/pyflow/workflow.ts';
import { headOf } from './work-node.ts';

/** What an orchestration adds to an llm agent. */
export type AgentRole = Pick<AgentSession, 'planner' | 'transfer'>;

/** ADK's limit of model calls for a run, which is also the only limit of an agent's turns. */
const modelCalls = 500;

/** Compiles an agent that asks a model. */
export function compileLlm(compiler: Compiler, agent: LlmAgent, next: string, role: AgentRole = {}): CompiledNode {
  const { output_key, output_schema, index } = agent;
  const { url, guessed } = modelUrl(agent.model);
  if (guessed) {
    const message = `"${agent.model}" is used as ${url}. Write the model's provider before its name if it is not a Gemini model.`;
    compiler.report('pyflow_departs', ['agents', index, 'model'], message, 'warning');
  }
  for (const hook of Object.keys(agent.callbacks)) {
    if (runs(hook)) continue;
    const message = `The callback ${hook} of "${agent.name}" does not run. Callbacks are ${agentHooks.join(', ')}.`;
    compiler.report('pyflow_ignored', ['agents', index, 'callbacks', hook], message, 'warning');
  }
  const settings: AgentSettings = {
    model: url,
    preamble: agent.instruction,
    ...toolsOf(compiler, agent),
    ...(!output_schema && { mode: 'chat' as const }),
    ...paramsOf(agent),
    limits: { turns: modelCalls },
  };
  return {
    node: {
      kind: 'agent',
      ...headOf(agent),
      from: compiler.entryOf(agent.name),
      to: next,
      agent: settings,
      session: sessionOf(compiler, agent, role),
    },
    origin: ['agents', index],
    ...(output_key !== null && {
      writes: { key: output_key, agent: agent.name, schema: { type: output_schema ? ['object', 'string', 'null'] : ['string', 'null'] } },
    }),
    agent,
  };
}

/** ADK's own names of the hooks end in `_callback`. */
function hookOf(key: string): string {
  return key.replace(/_callback$/, '');
}

function runs(key: string): boolean {
  return agentHooks.some((hook) => hook === hookOf(key));
}

function callbacksOf({ callbacks }: LlmAgent): Pick<AgentSession, 'callbacks'> {
  const running = Object.entries(callbacks).filter(([key]) => runs(key));
  return running.length > 0 ? { callbacks: Object.fromEntries(running.map(([key, name]) => [hookOf(key), name])) } : {};
}

function toolsOf(compiler: Compiler, agent: LlmAgent): Pick<AgentSettings, 'tools'> {
  const tools = [
    ...new Set([...agent.tools.flatMap((tool) => ourTools(compiler, tool)), ...agent.agent_tools.map((name) => flowTool(compiler, name))]),
  ];
  return tools.length > 0 ? { tools } : {};
}

/** Names of our tools for one that an agent lists. Gemini's own are settings of its model, and a router gets `transfer_to_agent` anyway. */
function ourTools({ project }: Compiler, tool: ListedTool): string[] {
  const { name } = tool;
  const api = project.tools.has(name) ? null : project.openApi(name);
  if (api) return listedOperations(api, tool).map((operation) => `openapi:${name}/${operation}`);
  if (Object.hasOwn(geminiTools, name) || name === transferTool) return [];
  return [platformTools.has(name) || adkTools.has(name) ? ourName(name) : `py:${name}`];
}

/** ADK's `get_user_choice` is our `ask_user`. */
function ourName(name: string): string {
  return name === 'get_user_choice' ? 'ask_user' : name;
}

function flowTool(compiler: Compiler, name: string): string {
  compiler.called.add(name);
  return `flow:${compiler.flowPath(name)}`;
}

function paramsOf({ temperature, max_output_tokens, top_p, top_k, tools }: LlmAgent): Pick<AgentSettings, 'params'> {
  const vendor = tools.flatMap(({ name }) => (Object.hasOwn(geminiTools, name) ? [{ [geminiTools[name] as string]: {} }] : []));
  const params = {
    ...(temperature !== null && { temperature }),
    ...(max_output_tokens !== null && { max_tokens: max_output_tokens }),
    ...(top_p !== null && { top_p }),
    ...(top_k !== null && { top_k }),
    ...(vendor.length > 0 && { options: { tools: vendor } }),
  };
  return Object.keys(params).length > 0 ? { params } : {};
}

function sessionOf(compiler: Compiler, agent: LlmAgent, role: AgentRole): AgentSession {
  const agents = agent.agent_tools.map((name) => {
    const called = compiler.agent(name);
    const input = called.type === 'llm' && called.input_schema ? { input_schema: called.input_schema } : {};
    return [flowTool(compiler, name), { name, ...(called.description !== '' && { description: called.description }), ...input }] as const;
  });
  const loops = agent.tools.some(({ name }) => name === 'exit_loop') ? compiler.loops : [];
  return {
    ...(agent.output_key !== null && { output: agent.output_key }),
    contents: agent.include_contents,
    ...(agent.output_schema && { schema: agent.output_schema }),
    ...role,
    ...(loops.length > 0 && { loops: [...loops] }),
    ...(agents.length > 0 && { agents: Object.fromEntries(agents) }),
    ...callbacksOf(agent),
  };
}
