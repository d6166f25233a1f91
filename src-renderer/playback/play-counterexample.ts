import { studio } from '#renderer/api/studio.ts';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { noticeFailure, noticeProblem } from '#renderer/notices/notices.ts';
import { currentFlow } from '#renderer/stores/editor.ts';
import { startPlayback } from '#renderer/stores/playback.ts';
import type { Problem } from '#shared/flow/problem.ts';

/** Whether a finding of the proof comes with firings that show it. */
export function canBePlayed({ trace }: Problem): boolean {
  return trace !== undefined && trace.length > 0;
}

/** The finding that shows best why a flow is not sound: the first that can be played. */
export function counterexampleOf(flow: OpenFlow): Problem | null {
  return flow.report?.problems.find(canBePlayed) ?? null;
}

/** Plays a finding's counterexample on the canvas. Where less motion is asked for it waits for the first step. */
export async function playCounterexample(flow: OpenFlow, problem: Problem): Promise<void> {
  const { path } = flow;
  const { text } = flow.parsed;
  try {
    const played = await studio.flows.playTrace({ path, text, trace: [...(problem.trace ?? [])] });
    // Edited while it was fetched: what it shows may be mended already.
    if (currentFlow()?.path !== path || currentFlow()?.parsed.text !== text) return;
    startPlayback({ path, text, problem, played, running: !matchMedia('(prefers-reduced-motion: reduce)').matches });
  } catch (thrown) {
    noticeFailure('This cannot be played', thrown);
  }
}

/** Plays why the flow shown is not sound, or says why there is nothing to play. */
export function playCounterexampleOfShownFlow(): void {
  const flow = currentFlow();
  if (!flow) return;
  const problem = counterexampleOf(flow);
  if (problem) void playCounterexample(flow, problem);
  else if (flow.report?.soundness.status === 'sound')
    noticeProblem('Nothing to play', 'This flow is sound: no run of it gets stuck or leaves something behind.');
  else noticeProblem('Nothing to play', 'No run is known that shows this flow to be unsound. The Problems panel says what else is wrong.');
}
