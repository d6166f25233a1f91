import type { AgentSettings } from '#shared/flow/document.ts';
import type { JsonSchema } from '#shared/json.ts';
import { AgentParts, type ExpandedAgent, type Expansion, guardFunctionsOf } from './agent-parts.ts';
import { expandTypedPlan, hasTypedSteps } from './expand-typed-plan.ts';
import { nestSettings, withoutSettings } from './nest-settings.ts';
import { nestTemplate } from './nest-template.ts';
import { joined, shared, summaryOf } from './plan-agents.ts';

const text = { type: 'string' } as const;

/** An agent's plan: pagantic's ExecutionPlan with the rationale of its PlanTrace. */
function planSchema(maxSteps: number, linear: boolean): JsonSchema {
  const needs: JsonSchema = { type: 'array', items: text, description: 'Names of earlier steps whose results this one needs.' };
  const step: JsonSchema = {
    type: 'object',
    properties: { name: { ...text, minLength: 1 }, instruction: { ...text, minLength: 1 }, ...(!linear && { needs }) },
    required: ['name', 'instruction', ...(linear ? [] : ['needs'])],
    additionalProperties: false,
  };
  return {
    type: 'object',
    properties: { rationale: text, steps: { type: 'array', items: step, minItems: 1, maxItems: maxSteps } },
    required: ['rationale', 'steps'],
    additionalProperties: false,
  };
}

const planStep: JsonSchema = {
  type: 'object',
  properties: { name: text, instruction: text, needs: { type: 'array', items: text } },
  required: ['name', 'instruction'],
};
const stepResult: JsonSchema = { type: 'object', properties: { name: text, text }, required: ['name', 'text'] };
const resultList: JsonSchema = { type: 'array', items: stepResult };

/** How far a plan has come. `trace` is pagantic's PlanTrace; the time of its making is that of the step. */
const progressSchema: JsonSchema = {
  type: 'object',
  properties: {
    input: true,
    trace: {
      type: 'object',
      properties: { planner_id: text, rationale: text, step_count: { type: 'integer' } },
      required: ['planner_id', 'rationale', 'step_count'],
    },
    steps: { type: 'array', items: planStep },
    results: resultList,
  },
  required: ['input', 'trace', 'steps', 'results'],
};

const nextSchema: JsonSchema = {
  type: 'object',
  properties: { input: true, step: planStep, results: resultList },
  required: ['input', 'step', 'results'],
};

const answerSchema: JsonSchema = { type: 'object', properties: { text }, required: ['text'] };

/**
 * Mode `plan` (pagantic's PlanExecutor): a planner, then the plan's steps one after the other under its PlanPolicy, each with the results of the ones before
 * it, then a summary that gives the agent's output. The steps go round a loop of ordinary nodes and not through an `each`, whose items
 * cannot see each other's results.
 */
export function expandPlan(agent: ExpandedAgent): Expansion {
  if (hasTypedSteps(agent.settings.plan)) return expandTypedPlan(agent);
  const { settings, from, to, input } = agent;
  const { max_steps = 8, seconds_per_step = 60, linear = true } = settings.plan ?? {};
  const parts = new AgentParts(agent);
  const state = (name: string) => parts.state(name);
  const [request, kept, plan, progress, more] = [state('request'), state('input'), state('plan'), state('progress'), state('more')];
  const [step, going, answer, done] = [state('step'), state('going'), state('answer'), state('done')];
  const schemas = {
    [request]: input,
    [kept]: input,
    [plan]: planSchema(max_steps, linear),
    [progress]: progressSchema,
    [more]: progressSchema,
    [step]: nextSchema,
    [going]: progressSchema,
    [answer]: answerSchema,
    [done]: progressSchema,
  };
  const nodes = [
    parts.copies('begin', from, [request, kept]),
    parts.agent('planner', request, plan, {
      agent: plannerOf(settings, max_steps, linear),
      plans: true,
      ...guardFunctionsOf(agent, 'input'),
    }),
    parts.builtin('join', 'check the plan', [kept, plan], [progress], { name: 'begin_plan', planner: settings.model, max_steps, linear }),
    parts.builtin('either', 'more steps?', [progress], [more, done], { name: 'more_steps' }),
    parts.builtin('fork', 'next step', [more], [step, going], { name: 'next_step' }),
    parts.agent('step', step, answer, { agent: workerOf(settings, seconds_per_step) }),
    parts.builtin('join', 'record the step', [going, answer], [progress], { name: 'record_step' }),
    parts.agent('summary', done, to, { agent: summaryOf(settings), ...guardFunctionsOf(agent, 'output') }),
  ];
  return { nodes, schemas };
}

function plannerOf(settings: AgentSettings, maxSteps: number, linear: boolean): AgentSettings {
  const order = linear ? 'They are done in this order.' : 'Name for each the earlier steps whose results it needs.';
  const advice = `Do not do the task yet. Break it into at most ${maxSteps} steps, each with a short name of its own and an instruction. ${order} Say in "rationale" why these.`;
  return {
    ...shared(settings),
    ...(settings.by_input && { by_input: settings.by_input }),
    preamble: joined(settings.preamble, advice),
    ...(settings.prompt !== undefined && { prompt: settings.prompt }),
    ...(settings.limits && { limits: settings.limits }),
    ...(settings.guards?.input && { guards: { input: settings.guards.input } }),
  };
}

function workerOf(settings: AgentSettings, seconds: number): AgentSettings {
  const task = settings.prompt === undefined ? '{input}' : nestTemplate(settings.prompt, 'input');
  return {
    ...shared(settings),
    ...withoutSettings(nestSettings(settings, 'input'), { limits: { seconds } }),
    mode: 'chat',
    preamble: joined(
      settings.preamble && nestTemplate(settings.preamble, 'input'),
      'You do one step of a plan. End with its result, in words.',
    ),
    prompt: `${task}\n\nThe step to do now, {step.name}: {step.instruction}\n\nResults of earlier steps: {results}`,
    ...(settings.tools && { tools: settings.tools }),
    ...(settings.stall && { stall: settings.stall }),
    limits: { ...settings.limits, seconds },
  };
}
