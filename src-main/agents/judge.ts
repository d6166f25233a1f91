import { StatePlan } from '#main/engine/step/state-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { messageText } from '#main/models/message-text.ts';
import type { Json, JsonObject, JsonSchema } from '#shared/json.ts';
import type { AgentState, CheckVerdict } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';
import { callModel, modelUrl } from './call-model.ts';
import { userMessage } from './conversation.ts';
import type { Guard } from './guards.ts';
import { missesSchema, readAnswer } from './output.ts';
import { spentBy, usageOf } from './spent.ts';

const verdictSchema: JsonSchema = {
  type: 'object',
  properties: { pass: { type: 'boolean' }, confidence: { type: 'number', minimum: 0, maximum: 1 }, reason: { type: 'string' } },
  required: ['pass', 'confidence', 'reason'],
  additionalProperties: false,
};

const preamble = `You check the work of an assistant. Answer the question about what is given as JSON: "pass" says whether the answer is yes, "confidence" how
sure you are (0 to 1), "reason" why, in one sentence.`;

type Verdict = Pick<CheckVerdict, 'pass' | 'confidence' | 'reason'>;

/** Asks the model of a check. A verdict of which it is less sure than `min` has not passed. */
export async function askJudge(
  step: Step,
  plan: AgentPlan,
  state: AgentState,
  { judge, name }: Guard,
  given: Readonly<Record<string, Json>>,
) {
  const model = judge?.model ?? modelUrl(step, plan);
  const { limits } = plan.settings;
  const request: AgentPlan = {
    ...plan,
    ends: 'answer',
    output: new StatePlan(name, verdictSchema, 0),
    tools: new Map(),
    grammar: undefined,
    repair: true,
    settings: { model, ...(limits && { limits }) },
  };
  const messages = [
    { role: 'system' as const, content: [{ type: 'text' as const, text: preamble }] },
    userMessage(`${judge?.question ?? ''}\n\n${JSON.stringify(given)}`),
  ];
  const { response } = await callModel({ step, plan: request, state, messages, url: model });
  const text = messageText({ ...response.message, content: response.message.content.filter(({ type }) => type === 'text') });
  const answer = readAnswer(request, text, response.finish_reason === 'length');
  if (!answer.ok) throw missesSchema(step, { ...request, attempts: 0 }, answer, answer.value);
  const { pass, confidence, reason: why } = answer.value as JsonObject;
  const said = { pass: pass === true, confidence: Number(confidence), reason: String(why) };
  const sure = said.confidence >= (judge?.min ?? 0);
  const reason = said.pass && !sure ? `${said.reason} (confidence ${said.confidence}, at least ${judge?.min} is asked for)` : said.reason;
  const verdict: Verdict = { pass: said.pass && sure, confidence: said.confidence, reason };
  return { verdict, usage: { usage: usageOf(step, response) }, spent: spentBy(plan, state, response) };
}
