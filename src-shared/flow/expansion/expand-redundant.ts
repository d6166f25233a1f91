import type { GraphNode } from '#shared/flow/graph.ts';
import type { JsonSchema } from '#shared/json.ts';
import { AgentParts, type ExpandedAgent, type Expansion } from './agent-parts.ts';
import { nestSettings, withoutSettings } from './nest-settings.ts';

/** Result of a replica: its answer, or why it has none (`RedundantLoop` continues without it). */
const answerSchema: JsonSchema = {
  type: 'object',
  properties: { value: true, error: { type: 'object' } },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
};
const answersSchema: JsonSchema = { type: 'array', items: answerSchema };

/** The vote: what won, how sure that is (0 to 1), where the figure comes from, and how many of the answers were like it. */
const voteSchema: JsonSchema = {
  type: 'object',
  properties: {
    value: true,
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    confidence_source: { enum: ['voting', 'validation'] },
    agreeing: { type: 'integer' },
    replicas: { type: 'integer' },
    failed: { type: 'array', items: { type: 'object' } },
    reason: { type: 'string' },
  },
  required: ['value', 'confidence', 'confidence_source', 'replicas'],
};

const ballotSchema: JsonSchema = { type: 'object', properties: { input: true, answers: answersSchema }, required: ['input', 'answers'] };

const verdictSchema: JsonSchema = {
  type: 'object',
  properties: {
    choice: { type: 'integer', minimum: 1 },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    reason: { type: 'string' },
  },
  required: ['choice', 'confidence', 'reason'],
  additionalProperties: false,
};

const judgePreamble = `Several answers to the same question are given, as JSON: the question is "input", the answers are "answers", counted from 1.
Choose the best answer that has a "value". Give its number as "choice", how sure you are (0 to 1) as "confidence", and one sentence as "reason".`;

/**
 * Mode `redundant` (pagantic's RedundantLoop): a fork of replicas that answer the same question apart, their answers collected pair by pair, and a vote
 * whose state `Name::vote` says how sure it is. A replica that fails is an answer that does not count.
 */
export function expandRedundant(agent: ExpandedAgent): Expansion {
  const { settings, from, to, output } = agent;
  const { replicas = 3, vote = 'majority', min_agreement = 0.5 } = settings.redundant ?? {};
  const { mode, redundant, plan, ...replica } = settings;
  const opening = agent.node.body.type === 'agent' && agent.node.body.opening ? { opening: agent.node.body.opening } : {};
  const guarding = agent.node.body.type === 'agent' ? agent.node.body.guard_functions : undefined;
  const functions = guarding ? { guard_functions: guarding } : {};
  const parts = new AgentParts(agent);
  const numbers = Array.from({ length: replicas }, (_, index) => index + 1);
  const [questions, answers] = [numbers.map((n) => parts.state(`replica_${n}`)), numbers.map((n) => parts.state(`answer_${n}`))];
  const [all, elected] = [parts.state('answers'), parts.state('vote')];
  const asked = vote === 'judge' ? [...questions, parts.state('question')] : questions;
  const schemas: Record<string, JsonSchema> = { [all]: answersSchema, [elected]: voteSchema };
  for (const question of asked) schemas[question] = agent.input;
  for (const answer of answers) schemas[answer] = answerSchema;
  const nodes: GraphNode[] = [parts.copies('ask each', from, asked)];
  for (const [index, question] of questions.entries()) {
    const answer = answers[index] as string;
    nodes.push(
      parts.agent(`replica ${index + 1}`, question, answer, {
        ...opening,
        ...functions,
        agent: replica,
        answers: { name: to, schema: output },
      }),
    );
  }
  let collected = answers[0] as string;
  for (const [index, answer] of answers.entries()) {
    if (index === 0) continue;
    const list = index === answers.length - 1 ? all : parts.state(`answers_${index + 1}`);
    schemas[list] = answersSchema;
    nodes.push(parts.builtin('join', 'collect', [collected, answer], [list], { name: 'collect' }));
    collected = list;
  }
  if (vote === 'judge') {
    const [question, ballot, judge, candidates, verdict] = ['question', 'ballot', 'judge', 'candidates', 'verdict'].map((name) =>
      parts.state(name),
    ) as [string, string, string, string, string];
    Object.assign(schemas, { [ballot]: ballotSchema, [judge]: ballotSchema, [candidates]: ballotSchema, [verdict]: verdictSchema });
    const settingsOfJudge = {
      model: settings.model,
      preamble: judgePreamble,
      ...(settings.limits && { limits: settings.limits }),
      ...withoutSettings(nestSettings(settings, 'input'), { params: settings.by_input?.params ?? {} }),
    };
    nodes.push(
      parts.builtin('join', 'ballot', [question, all], [ballot], { name: 'ballot' }),
      parts.copies('ask the judge', ballot, [judge, candidates]),
      parts.agent('judge', judge, verdict, { agent: settingsOfJudge }),
      parts.builtin('join', 'verdict', [candidates, verdict], [elected], { name: 'judged', min_agreement }),
    );
  } else nodes.push(parts.builtin('work', 'vote', [all], [elected], { name: 'vote', vote, min_agreement }));
  nodes.push(parts.builtin('work', 'take the winner', [elected], [to], { name: 'winner' }));
  return { nodes, schemas };
}
