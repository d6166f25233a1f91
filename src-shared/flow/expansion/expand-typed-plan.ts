import type { AgentSettings, PlanSettings, StepType } from '#shared/flow/document.ts';
import { type FlowGraph, type GraphNode, nodeIdOf } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { isJsonObject, type Json, type JsonObject, type JsonSchema, toJson } from '#shared/json.ts';
import { AgentParts, type ExpandedAgent, type Expansion, guardFunctionsOf } from './agent-parts.ts';
import { nestSettings, withoutSettings } from './nest-settings.ts';
import { nestTemplate } from './nest-template.ts';
import { joined, shared, summaryOf } from './plan-agents.ts';
import type { PlanPolicy } from './plan-policy.ts';

const text = { type: 'string' } as const;
const list: JsonSchema = { type: 'array' };
const plannedStep: JsonSchema = {
  type: 'object',
  properties: { name: text, type: text, input: true },
  required: ['name', 'type', 'input'],
};
const resultSchema: JsonSchema = {
  type: 'object',
  properties: { name: text, type: text, output: true },
  required: ['name', 'type', 'output'],
};
const resultList: JsonSchema = { type: 'array', items: resultSchema };
const stepSchema: JsonSchema = {
  type: 'object',
  properties: { input: true, step: plannedStep, results: resultList },
  required: ['input', 'step', 'results'],
};
const answerSchema: JsonSchema = { type: 'object', properties: { text }, required: ['text'] };

/** How far a plan has come. `trace` is pagantic's PlanTrace; `created_at` is in milliseconds since 1970. */
const progressSchema: JsonSchema = {
  type: 'object',
  properties: {
    input: true,
    trace: {
      type: 'object',
      properties: { planner_id: text, rationale: text, step_count: { type: 'integer' }, created_at: { type: 'number' } },
      required: ['planner_id', 'rationale', 'step_count', 'created_at'],
    },
    steps: { type: 'array', items: plannedStep },
    results: resultList,
  },
  required: ['input', 'trace', 'steps', 'results'],
};

/** A plan that code, a flow or the document gives: what it leaves out is filled in, and what is wrong with it is said, by `readPlan`. */
const givenPlan: JsonSchema = { type: 'object', properties: { steps: list }, required: ['steps'] };

/** Whether a plan has what only plans with typed steps have. Others are expanded as ever, so that runs of them go on. */
export function hasTypedSteps(plan: PlanSettings | undefined): boolean {
  return plan !== undefined && [plan.steps, plan.planner, plan.fixed, plan.parallel].some((key) => key !== undefined);
}

/** What of a plan decides which plans it allows. */
type Bounds = Pick<PlanSettings, 'max_steps' | 'linear'> & { readonly steps?: object };

/** The policy of an agent's plan with typed steps. */
export function planPolicy({ max_steps = 8, linear = false, steps }: Bounds, planner: string): PlanPolicy {
  return { planner, types: steps ? Object.keys(steps) : ['task'], max_steps, linear };
}

/**
 * Mode `plan` with typed steps (pagantic's AllowedStepTypes): a planner, then waves of steps whose needs are met, each wave the items of an `each` node,
 * then a summary that gives the agent's output.
 */
export function expandTypedPlan(agent: ExpandedAgent): Expansion {
  const { settings, from, to, input } = agent;
  const parts = new AgentParts(agent);
  const state = (name: string) => parts.state(name);
  const [request, kept, plan, progress, more] = [state('request'), state('input'), state('plan'), state('progress'), state('more')];
  const [wave, going, results, done] = [state('wave'), state('going'), state('results'), state('done')];
  const planner = plannerNodes(agent, parts, request, plan);
  const { parallel = 4 } = settings.plan ?? {};
  const nodes = [
    parts.copies('begin', from, [request, kept]),
    ...planner.nodes,
    parts.builtin('join', 'check the plan', [kept, plan], [progress], { name: 'begin_typed_plan', policy: planner.policy }),
    parts.builtin('either', 'more steps?', [progress], [more, done], { name: 'more_steps' }),
    parts.builtin('fork', 'next steps', [more], [wave, going], { name: 'next_wave' }),
    parts.node('each', 'steps', wave, results, { type: 'each', flow: stepFlow(agent), parallel }),
    parts.builtin('join', 'record the steps', [going, results], [progress], { name: 'record_wave' }),
    parts.agent('summary', done, to, { agent: summaryOf(settings), ...guardFunctionsOf(agent, 'output') }),
  ];
  const schemas = {
    [request]: input,
    [kept]: input,
    ...planner.schemas,
    [progress]: progressSchema,
    [more]: progressSchema,
    [wave]: { type: 'array', items: stepSchema } as const,
    [going]: progressSchema,
    [results]: resultList,
    [done]: progressSchema,
  };
  return { nodes, schemas };
}

interface Planner extends Expansion {
  readonly policy: PlanPolicy;
}

/** The nodes that make the plan: a model, a flow, code, or the one that the document contains. */
function plannerNodes(expanded: ExpandedAgent, parts: AgentParts, request: string, plan: string): Planner {
  const { settings, node } = expanded;
  const made = node.body.type === 'agent' ? node.body.plan_parts?.planner : undefined;
  const { fixed } = settings.plan ?? {};
  if (fixed) {
    const steps = toJson(fixed);
    const policy = planPolicy(settings.plan ?? {}, 'fixed');
    return {
      nodes: [parts.builtin('work', 'plan', [request], [plan], { name: 'fixed_plan', steps })],
      schemas: { [plan]: givenPlan },
      policy,
    };
  }
  if (!made) {
    const policy = planPolicy(settings.plan ?? {}, settings.model);
    const agent = modelPlanner(settings, policy);
    const flows = (node.body.type === 'agent' && node.body.plan_parts?.flows) || {};
    return {
      nodes: [parts.agent('planner', request, plan, { agent, plans: policy, ...guardFunctionsOf(expanded, 'input') })],
      schemas: { [plan]: planSchema(policy, flows) },
      policy,
    };
  }
  if (!('nodes' in made)) {
    const policy = planPolicy(settings.plan ?? {}, made.type === 'module' ? `module:${made.file}` : 'function');
    return { nodes: [parts.node('work', 'planner', request, plan, made)], schemas: { [plan]: givenPlan }, policy };
  }
  const [requests, plans] = [parts.state('requests'), parts.state('plans')];
  const nodes = [
    parts.builtin('work', 'ask the planner', [request], [requests], { name: 'in_list' }),
    parts.node('each', 'planner', requests, plans, { type: 'each', flow: made }),
    parts.builtin('work', 'plan', [plans], [plan], { name: 'first_of_list' }),
  ];
  const schemas = { [requests]: list, [plans]: list, [plan]: givenPlan };
  return { nodes, schemas, policy: planPolicy(settings.plan ?? {}, `flow:${made.name}`) };
}

/** The schema of a model's plan. Who does a step decides what its `input` is. */
function planSchema({ types, max_steps, linear }: PlanPolicy, flows: Readonly<Record<string, FlowGraph>>): JsonSchema {
  const needs: JsonSchema = { type: 'array', items: text, description: 'Names of the steps whose results this one needs.' };
  const step = (type: JsonSchema, given: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { name: { ...text, minLength: 1 }, type, input: given, ...(!linear && { needs }) },
    required: ['name', 'type', 'input', ...(linear ? [] : ['needs'])],
    additionalProperties: false,
  });
  const items = types.some((type) => Object.hasOwn(flows, type))
    ? { anyOf: types.map((type) => step({ type: 'string', enum: [type] }, flows[type] ? inputOf(flows[type]) : text)) }
    : step({ type: 'string', enum: [...types] }, text);
  return {
    type: 'object',
    properties: { rationale: text, steps: { type: 'array', items, minItems: 1, maxItems: max_steps } },
    required: ['rationale', 'steps'],
    additionalProperties: false,
  };
}

/** What a plan gives a flow: its input without the results of other steps. A schema with references is not whole elsewhere. */
function inputOf({ schemas, input }: FlowGraph): JsonSchema {
  const schema = schemas[input] ?? true;
  if (!isJsonObject(schema as Json) || JSON.stringify(schema).includes('"$ref"')) return true;
  const { properties, required, ...others } = schema as JsonObject;
  if (!isJsonObject(properties ?? null) || !takesResults(schema)) return schema;
  const { results: _results, ...own } = properties as JsonObject;
  return {
    ...others,
    properties: own,
    required: (Array.isArray(required) ? required : []).filter((key) => key !== 'results'),
  } as JsonSchema;
}

function takesResults(schema: JsonSchema | undefined): boolean {
  return (
    typeof schema === 'object' &&
    isJsonObject((schema as JsonObject).properties) &&
    Object.hasOwn((schema as JsonObject).properties as JsonObject, 'results')
  );
}

function modelPlanner(settings: AgentSettings, { types, max_steps, linear }: PlanPolicy): AgentSettings {
  const known = settings.plan?.steps ?? {};
  const lines = types.map((type) => {
    const about = known[type]?.description;
    return about === undefined ? `- ${type}` : `- ${type}: ${about}`;
  });
  const order = linear
    ? 'They are done in this order.'
    : 'In "needs", name for each the steps whose results it needs; the others are done at the same time.';
  const advice = `Do not do the task yet. Break it into at most ${max_steps} steps, each with a short name of its own, a type, and as "input" what is to be done. ${order} Say in "rationale" why these.\n\nTypes of steps:\n${lines.join('\n')}`;
  return {
    ...shared(settings),
    ...(settings.by_input && { by_input: settings.by_input }),
    preamble: joined(settings.preamble, advice.replaceAll('{', '{{').replaceAll('}', '}}')),
    ...(settings.prompt !== undefined && { prompt: settings.prompt }),
    ...(settings.limits && { limits: settings.limits }),
    ...(settings.guards?.input && { guards: { input: settings.guards.input } }),
  };
}

/** The flow that does one step: what it goes through depends on the step's type. */
function stepFlow(agent: ExpandedAgent): FlowGraph {
  const { settings, node, graph } = agent;
  const { own_names: _names, ...plain } = node;
  const parts = new AgentParts({ ...agent, node: plain, from: 'Step', to: 'Result' });
  const types: readonly [string, StepType][] = Object.entries(settings.plan?.steps ?? { task: { agent: taskAgent(settings) } });
  const schemas: Record<string, JsonSchema> = { Step: stepSchema, Result: resultSchema };
  const nodes: GraphNode[] = [];
  let left = 'Step';
  for (const [index, [name, type]] of types.entries()) {
    let own = left;
    if (index < types.length - 1) {
      own = parts.state(name);
      const others = parts.state(`not_${name}`);
      nodes.push(parts.builtin('either', `${name}?`, [left], [own, others], { name: 'is_step_type', type: name }));
      Object.assign(schemas, { [own]: stepSchema, [others]: stepSchema });
      left = others;
    }
    nodes.push(...typeNodes(agent, parts, { name, type, from: own }, schemas));
  }
  return {
    ...(graph.source !== undefined && { source: graph.source }),
    name: `step of ${node.id}`,
    input: 'Step',
    output: 'Result',
    schemas,
    nodes,
    limits: graph.limits ?? defaultLimits,
    ...(graph.flow_tools && { flow_tools: graph.flow_tools }),
    plan_step: true,
    hash: graph.hash ?? '',
  };
}

interface DoneType {
  readonly name: string;
  readonly type: StepType;
  /** The state that holds a step of the type. */
  readonly from: string;
}

function typeNodes(
  { settings, node }: ExpandedAgent,
  parts: AgentParts,
  { name, type, from }: DoneType,
  schemas: Record<string, JsonSchema>,
): GraphNode[] {
  const [asked, kept, answer] = ['asked', 'kept', 'answer'].map((part) => parts.state(`${name}::${part}`)) as [string, string, string];
  Object.assign(schemas, { [asked]: stepSchema, [kept]: stepSchema });
  const begin = parts.copies(`${name}: begin`, from, [asked, kept]);
  const end = (of: 'agent' | 'flow') => parts.builtin('join', `${name}: result`, [kept, answer], ['Result'], { name: 'step_result', of });
  if ('agent' in type) {
    schemas[answer] = answerSchema;
    return [begin, parts.agent(name, asked, answer, { agent: stepAgentOf(settings, type.agent) }), end('agent')];
  }
  const flow = node.body.type === 'agent' ? node.body.plan_parts?.flows[name] : undefined;
  if (!flow) throw new Error(`The plan of ${nodeIdOf(node.from)} has no flow for its type ${name}.`);
  const inputs = parts.state(`${name}::inputs`);
  Object.assign(schemas, { [inputs]: list, [answer]: list });
  const results = takesResults(flow.schemas[flow.input]);
  return [
    begin,
    parts.builtin('work', `${name}: input`, [asked], [inputs], { name: 'step_input', results }),
    parts.node('each', name, inputs, answer, { type: 'each', flow }),
    end('flow'),
  ];
}

/** Without types of its own, a plan's steps are done by the agent itself. */
function taskAgent({ model, tools, stall }: AgentSettings): Extract<StepType, { agent: unknown }>['agent'] {
  return { model, ...(tools && { tools }), ...(stall && { stall }) };
}

function stepAgentOf(settings: AgentSettings, own: Extract<StepType, { agent: unknown }>['agent']): AgentSettings {
  const task = settings.prompt === undefined ? '{input}' : nestTemplate(settings.prompt, 'input');
  const preamble = settings.preamble && nestTemplate(settings.preamble, 'input');
  const { seconds_per_step = 60 } = settings.plan ?? {};
  const { model, ...others } = own;
  // Without types of its own, the plan's steps are done by the agent itself, with its model.
  const fixed = { ...others, ...(settings.plan?.steps && { model }), limits: { seconds: seconds_per_step, ...own.limits } };
  return {
    ...shared(settings),
    ...withoutSettings(nestSettings(settings, 'input'), fixed),
    preamble: joined(preamble, 'You do one step of a plan. End with its result, in words.'),
    prompt: `${task}\n\nThe step to do now, {step.name}: {step.input}\n\nResults of earlier steps: {results}`,
    ...own,
    mode: 'chat',
    limits: { ...settings.limits, seconds: seconds_per_step, ...own.limits },
  };
}
