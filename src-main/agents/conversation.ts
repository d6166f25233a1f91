import type { Step } from '#main/engine/step/step.ts';
import { fillPieces, fillText } from '#shared/flow/template.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { wholeMessages } from '#shared/run/cut-message.ts';
import type { Message } from '#shared/run/message.ts';
import type { AgentState } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';
import { promptParts } from './prompt-parts.ts';

/** The first messages of a visit: the given opening, or the preamble and the prompt (default: the input as JSON). */
export function openingMessages(plan: AgentPlan, input: Json): readonly Message[] {
  const { settings, opening: given } = plan;
  // A given conversation may contain messages that were cut off.
  if (given) return wholeMessages(given);
  const pieces = settings.prompt === undefined ? [input] : fillPieces(settings.prompt, input);
  const prompt: Message = { role: 'user', content: promptParts(pieces, settings.prompt === undefined) };
  return [...systemMessages(plan, input), prompt];
}

/** The preamble and the memory. */
export function systemMessages({ settings }: AgentPlan, input: Json): Message[] {
  const texts = [settings.preamble, settings.memory].flatMap((text) => (text === undefined ? [] : [fillText(text, input)]));
  return texts.length === 0 ? [] : [{ role: 'system', content: [{ type: 'text', text: texts.join('\n\n') }] }];
}

/** Whether the preamble is made for each model call, and is no part of the conversation: where others share it, and for what is never stored. */
export function remakesSystem({ settings, keptScope }: AgentPlan): boolean {
  return keptScope !== null || settings.memory !== undefined;
}

/** This visit's messages so far, without messages that were cut off. */
export function visitMessages(step: Step, state: AgentState): readonly Message[] {
  return wholeMessages(step.run.history[step.node] ?? []).slice(state.history_start);
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** Reply to an answer without a tool call. */
export function reminder(): Message {
  return userMessage(
    `Your answer contained no tool call. Continue with the tools. When you have the result, call \`${submitTool}\` with it.`,
  );
}

/** Told to a model whose budget is used up. */
export function conclusion(): Message {
  return userMessage(
    'The budget of this task is used up: no further tool calls are possible. Give the final result now, from what is known.',
  );
}

/** Told to a model that repeats itself. */
export function guidance(repeats: number): Message {
  return userMessage(`The last ${repeats + 1} turns made the same calls and got the same results. Do something else, or give the result.`);
}

/** Reply to an empty answer. */
export function emptyAnswer(): Message {
  return userMessage('Your answer was empty. Answer with text.');
}

/** Reply to an output that violates its schema. */
export function askAgain(problem: string): Message {
  return userMessage(`The result does not match its schema: ${problem}. Answer again with the complete corrected JSON and nothing else.`);
}
