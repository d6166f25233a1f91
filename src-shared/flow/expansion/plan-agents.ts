import type { AgentSettings } from '#shared/flow/document.ts';
import { nestSettings } from './nest-settings.ts';
import { nestTemplate } from './nest-template.ts';

/** What the planner, the steps' agent and the summary share. */
export function shared({ model, context, params, output, trust_content }: AgentSettings): AgentSettings {
  return {
    model,
    ...(context && { context }),
    ...(params && { params }),
    ...(output && { output }),
    ...(trust_content !== undefined && { trust_content }),
  };
}

/** The agent that gives the output of a plan from the results of its steps. */
export function summaryOf(settings: AgentSettings): AgentSettings {
  const task = settings.prompt === undefined ? '{input}' : nestTemplate(settings.prompt, 'input');
  return {
    ...shared(settings),
    ...nestSettings(settings, 'input'),
    preamble: joined(
      settings.preamble && nestTemplate(settings.preamble, 'input'),
      'The steps of a plan have been done. Give the final result.',
    ),
    prompt: `${task}\n\nResults of the steps: {results}`,
    ...(settings.limits && { limits: settings.limits }),
    ...(settings.guards?.output && { guards: { output: settings.guards.output } }),
  };
}

/** A preamble with advice after it. */
export function joined(preamble: string | undefined, advice: string): string {
  return preamble === undefined ? advice : `${preamble}\n\n${advice}`;
}
