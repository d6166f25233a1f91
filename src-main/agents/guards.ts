import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import { UnknownOutcome } from '#main/engine/ports/recorder.ts';
import { assertMayCallModel } from '#main/engine/run/limits.ts';
import type { Draft, FinishedDraft } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import { unknownOutcome } from '#main/engine/step/unknown-outcome.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { parseExpression } from '#shared/flow/expression.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';
import type { AgentState, CheckVerdict } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';
import { userMessage } from './conversation.ts';
import { personsDecision, questionAbout } from './guard-question.ts';
import { askJudge } from './judge.ts';
import { emitRetry } from './retry-event.ts';

export type Guard = NonNullable<NonNullable<AgentSettings['guards']>['output']>[number];
type Stage = 'input' | 'output';
type GuardState = NonNullable<AgentState['guard']>;

/** An agent that goes on with its turn; or the draft of a step that a check has taken. */
type Checked = { readonly state: AgentState } | { readonly draft: Draft };

/**
 * Checks what goes into an agent, before its first turn, and goes on with the checks of an output. Rules run within the step that they concern; a judge, and
 * a question to a person, is a step of its own (phase `guard`).
 */
export async function guardStep(step: Step, plan: AgentPlan, state: AgentState): Promise<Checked> {
  const guards = plan.settings.guards;
  if (!guards) return { state };
  if (state.guard?.output) return { draft: await goOn(step, plan, state, 'output', state.guard.output.value) };
  const first = state.guard ?? { next: 0, checks: [] };
  if (first.next >= (guards.input?.length ?? 0) || state.turn > 0) return { state: { ...state, guard: first } };
  return checkInput(step, plan, { ...state, guard: first });
}

/** Checks what an agent that has finished gives. Where all is well, the draft is that of the agent. */
export async function guardOutput(step: Step, plan: AgentPlan, draft: Draft, visitOf: AgentState): Promise<Draft> {
  const { guards } = plan.settings;
  if (draft.type !== 'finished' || !guards || !draft.agent) return draft;
  const value = draft.produced[0]?.value ?? null;
  // What counts of the step is the step's own; the checks of the input are those of the visit.
  const state = { ...draft.agent, guard: visitOf.guard ?? { next: 0, checks: [] } };
  const [passed, failed] = await rulesFrom(step, plan, 'output', 0, value);
  const checks = [...state.guard.checks, ...passed, ...(failed ? [failed.verdict] : [])];
  const { usage } = draft;
  const [held, history] = [draft.history?.slice(-1) ?? [], draft.history?.slice(0, -1) ?? []];
  const output = { value, next: passed.length, held };
  const waiting = { ...state, phase: 'reason' as const, pending: [], guard: { ...state.guard, checks, output } };
  const going = {
    type: 'phase',
    phase: draft.phase ?? 'reason',
    ...(usage && { usage }),
    ...(draft.closes && { closes: draft.closes }),
  } as const;
  if (failed && onFail(failed.guard, 'output') === 'ask_again') {
    const again = askedAgain(step, plan, waiting, failed);
    return { ...going, ...again, history: [...history, ...again.history] };
  }
  if (failed && onFail(failed.guard, 'output') === 'fail') throw failure(step, failed);
  if (failed) return { ...going, agent: { ...waiting, guard: { ...waiting.guard, failed: failed.verdict } }, history };
  if (output.next < (guards.output?.length ?? 0)) return { ...going, agent: waiting, history };
  announceValid(step, state, checks);
  return draft;
}

async function checkInput(step: Step, plan: AgentPlan, state: AgentState & { readonly guard: GuardState }): Promise<Checked> {
  const [passed, failed] = await rulesFrom(step, plan, 'input', state.guard.next, step.input);
  const checks = [...state.guard.checks, ...passed, ...(failed && !state.guard.failed ? [failed.verdict] : [])];
  const next = state.guard.next + passed.length;
  const after = { ...state, guard: { ...state.guard, next, checks } };
  if (next >= (plan.settings.guards?.input?.length ?? 0)) return { state: after };
  if (failed && onFail(failed.guard, 'input') !== 'suspend') throw failure(step, failed);
  return {
    draft: await goOn(step, plan, failed ? { ...after, guard: { ...after.guard, failed: failed.verdict } } : after, 'input', step.input),
  };
}

/** The next check: what a person says of one that failed, or what a judge says. */
async function goOn(step: Step, plan: AgentPlan, state: AgentState, stage: Stage, value: Json): Promise<Draft> {
  const guard = state.guard as GuardState;
  if (guard.failed) return asked(step, plan, state, stage, value, guard.failed);
  const next = guard.output?.next ?? guard.next;
  const judge = guardsOf(plan, stage)[next] as Guard;
  assertMayCallModel(step.run.limits, step.run.counted());
  try {
    const {
      verdict: said,
      usage,
      spent,
    } = await askJudge(step, plan, state, judge, { input: step.input, ...(stage === 'output' && { output: value }) });
    const verdict: CheckVerdict = { name: judge.name, kind: 'judge', ...said };
    announce(step, stage, verdict);
    const after = {
      ...state,
      ...spent,
      seconds: state.seconds + step.elapsed / 1000,
      guard: { ...guard, checks: [...guard.checks, verdict] },
    };
    return { ...(await decided(step, plan, after, stage, { guard: judge, verdict })), ...usage };
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) throw error;
    return { type: 'suspended', suspensions: [unknownOutcome(step, error.effect, `${step.node}::model`, `model_${step.seq}`)] };
  }
}

interface Failed {
  readonly guard: Guard;
  readonly verdict: CheckVerdict;
}

/** What follows from a judge's verdict. */
async function decided(step: Step, plan: AgentPlan, state: AgentState, stage: Stage, given: Failed): Promise<Draft> {
  if (given.verdict.pass) return passed(step, plan, state, stage);
  const consequence = onFail(given.guard, stage);
  if (consequence === 'fail') throw failure(step, given);
  const guard = state.guard as GuardState;
  if (consequence === 'suspend')
    return { type: 'phase', phase: 'guard', agent: { ...state, guard: { ...guard, failed: given.verdict } }, history: [] };
  return { type: 'phase', phase: 'guard', ...askedAgain(step, plan, state, given) };
}

/** Goes on behind a check that has passed, with the rules that follow it. */
async function passed(step: Step, plan: AgentPlan, state: AgentState, stage: Stage): Promise<Draft> {
  const { failed: _gone, ...guard } = state.guard as GuardState;
  const going = { type: 'phase', phase: 'guard', history: [] as readonly Message[] } as const;
  if (stage === 'input') return { ...going, agent: { ...state, guard: { ...guard, next: guard.next + 1 } } };
  const output = guard.output as NonNullable<GuardState['output']>;
  const next = output.next + 1;
  const [fine, failed] = await rulesFrom(step, plan, 'output', next, output.value);
  const checks = [...guard.checks, ...fine, ...(failed ? [failed.verdict] : [])];
  const after: AgentState = { ...state, guard: { ...guard, checks, output: { ...output, next: next + fine.length } } };
  if (failed) return decided(step, plan, after, stage, failed);
  if (next + fine.length < guardsOf(plan, 'output').length) return { ...going, agent: after };
  announceValid(step, state, checks);
  return { type: 'finished', phase: 'guard', produced: [step.output(plan.output, output.value)], history: output.held };
}

/** Asks a person about a failed check, or does what they have decided. */
async function asked(step: Step, plan: AgentPlan, state: AgentState, stage: Stage, value: Json, verdict: CheckVerdict): Promise<Draft> {
  const decision = personsDecision(step);
  if (!decision) return { type: 'suspended', suspensions: [questionAbout(step, plan, stage, value, verdict)], agent: state };
  const guard = state.guard as GuardState;
  const name = { guard: guardsOf(plan, stage).find((one) => one.name === verdict.name) as Guard, verdict };
  if (decision.do === 'refuse')
    throw failure(step, { ...name, verdict: { ...verdict, reason: decision.reason ?? verdict.reason ?? 'refused' } });
  const checks = guard.checks.map((check) =>
    check === verdict || check.name === verdict.name ? { ...check, pass: true, by: 'person' as const } : check,
  );
  const output = guard.output && { ...guard.output, ...('output' in decision && { value: decision.output as Json }) };
  return passed(step, plan, { ...state, guard: { ...guard, checks, ...(output && { output }) } }, stage);
}

/** The rules from a place on, up to the first that fails or the first judge. */
async function rulesFrom(
  step: Step,
  plan: AgentPlan,
  stage: Stage,
  from: number,
  value: Json,
): Promise<[passed: CheckVerdict[], failed: Failed | null]> {
  const verdicts: CheckVerdict[] = [];
  for (const [index, guard] of guardsOf(plan, stage).entries()) {
    if (index < from) continue;
    const place = `${stage}/${index}`;
    if (guard.expr === undefined && !plan.guardFunctions?.has(place)) break;
    const verdict = plan.guardFunctions?.has(place)
      ? functionVerdict(guard, await plan.guardFunctions.verdict(step, place, value))
      : ruleVerdict(step, guard, stage, value);
    const { pass } = verdict;
    announce(step, stage, verdict);
    if (!pass) return [verdicts, { guard, verdict }];
    verdicts.push(verdict);
  }
  return [verdicts, null];
}

function functionVerdict({ name }: Guard, { pass, reason }: { readonly pass: boolean; readonly reason?: string }): CheckVerdict {
  return { name, kind: 'rule', pass, ...(reason === undefined ? !pass && { reason: 'it says no' } : { reason }) };
}

function ruleVerdict(step: Step, { name, expr = '' }: Guard, stage: Stage, value: Json): CheckVerdict {
  const parsed = parseExpression(expr);
  if (!parsed.ok) throw new FlowError('BuildError', `The check ${name} cannot be read: ${parsed.fault.message}.`);
  const names = stage === 'output' ? { ...(isJsonObject(value) && value), output: value } : {};
  const pass = evaluateExpression(parsed.expression, step.input, names) === true;
  return { name, kind: 'rule', pass, ...(!pass && { reason: `${expr} is not true` }) };
}

/** The agent is told what is wrong and answers once more. Throws when it has been asked often enough. */
function askedAgain(step: Step, plan: AgentPlan, state: AgentState, failed: Failed): { agent: AgentState; history: readonly Message[] } {
  const attempts = state.attempts + 1;
  if (attempts > plan.attempts) throw failure(step, failed);
  const why = `the check "${failed.guard.name}" failed: ${failed.verdict.reason ?? 'no reason was given'}`;
  emitRetry(step, state.turn, why);
  const { output, failed: _gone, ...guard } = state.guard as GuardState;
  const message = step.run.recorder?.askedAgain?.(step.seq, step.node) ?? userMessage(`The result is not accepted: ${why}. Answer again.`);
  return { agent: { ...state, attempts, guard }, history: [...(output?.held ?? []), message] };
}

function guardsOf({ settings }: AgentPlan, stage: Stage): readonly Guard[] {
  return settings.guards?.[stage] ?? [];
}

function onFail(guard: Guard, stage: Stage): 'ask_again' | 'fail' | 'suspend' {
  return guard.on_fail ?? (stage === 'input' ? 'fail' : 'ask_again');
}

function announce(step: Step, stage: Stage, verdict: CheckVerdict): void {
  if (step.listening) step.emit({ type: 'guard', node: step.node, stage, ...verdict });
}

/** Says how a visit's output was checked. */
function announceValid(step: Step, { attempts }: AgentState, checks: readonly CheckVerdict[]): void {
  if (!step.listening) return;
  step.emit({ type: 'validation', node: step.node, valid: true, schema_errors: [], attempts: attempts + 1, checks: [...checks] });
}

function failure(step: Step, { guard, verdict }: Failed): FlowError {
  const { name, reason = '', confidence } = verdict;
  const code = verdict.kind === 'rule' ? 'VALIDATION_RULE_FAILED' : 'VALIDATION_SEMANTIC_FAILED';
  const details = { name, reason, ...(confidence !== undefined && { confidence }) };
  const text = `The check "${guard.name}" of agent ${step.node} failed: ${reason}.`;
  return new FlowError('AgentError', text, { node: step.node, code, category: 'validation', retryable: false, details });
}

/** The draft of an agent without what only its checks need. */
export function withoutAgent(draft: Draft): Draft {
  if (draft.type !== 'finished') return draft;
  const { agent: _agent, ...rest } = draft;
  return rest satisfies FinishedDraft;
}
