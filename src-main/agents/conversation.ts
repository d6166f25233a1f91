import type { AgentPlan } from '#main/agents/agent-plan.ts';
import { promptParts } from '#main/agents/prompt-parts.ts';
import type { Step } from '#main/runtime/step.ts';
import { fillPieces, fillText } from '#shared/flow/template.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { wholeMessages } from '#shared/runtime/cut-message.ts';
import type { Message } from '#shared/runtime/message.ts';
import type { AgentState } from '#shared/runtime/snapshot.ts';

/** How a visit begins: with what was handed in, else the preamble, then the prompt (default: the input as JSON). */
export function openingMessages({ settings, opening: given }: AgentPlan, input: Json): readonly Message[] {
  // A conversation that is handed in may hold what was cut off in it, too.
  if (given) return wholeMessages(given);
  const pieces = settings.prompt === undefined ? [input] : fillPieces(settings.prompt, input);
  const opening: Message[] = [{ role: 'user', content: promptParts(pieces, settings.prompt === undefined) }];
  if (settings.preamble === undefined) return opening;
  return [{ role: 'system', content: [{ type: 'text', text: fillText(settings.preamble, input) }] }, ...opening];
}

/** This visit's messages so far, without what was cut off. */
export function visitMessages(step: Step, state: AgentState): readonly Message[] {
  return wholeMessages(step.run.history[step.node] ?? []).slice(state.history_start);
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** What a model hears that has answered without calling a tool. */
export function reminder(): Message {
  return userMessage(`That was no tool call. Go on with the tools, and when you have the result call the tool \`${submitTool}\` with it.`);
}

/** What a model hears whose last words are none. */
export function emptyAnswer(): Message {
  return userMessage('That was an empty answer. Answer in words.');
}

/** What a model hears whose output misses its schema. */
export function askAgain(problem: string): Message {
  return userMessage(
    `That does not fit the schema of the result: ${problem}. Answer again with the whole corrected JSON, and nothing else.`,
  );
}
