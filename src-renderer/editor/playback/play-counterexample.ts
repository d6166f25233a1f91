import { studio } from '#renderer/api/studio.ts';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import { noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import type { Problem } from '#shared/flow/problem.ts';
import { startPlayback } from './playback.ts';
import { texts } from './texts.ts';

/** Whether a problem has a counterexample that can be played. */
export function canBePlayed({ trace }: Problem): boolean {
  return trace !== undefined && trace.length > 0;
}

/** The first problem of a flow with a counterexample. */
export function counterexampleOf(flow: OpenFlow): Problem | null {
  return flow.report?.problems.find(canBePlayed) ?? null;
}

/** Plays a problem's counterexample on the canvas. With reduced motion, it starts paused. */
export async function playCounterexample(flow: OpenFlow, problem: Problem): Promise<void> {
  const { path } = flow;
  const { text } = flow.parsed;
  try {
    const played = await studio.flows.playTrace({ path, text, trace: [...(problem.trace ?? [])] });
    // The flow was edited during the request: the problem may be fixed already.
    if (currentFlow()?.path !== path || currentFlow()?.parsed.text !== text) return;
    startPlayback({ path, text, problem, played, running: !matchMedia('(prefers-reduced-motion: reduce)').matches });
  } catch (thrown) {
    noticeFailure(texts.notPlayable, thrown);
  }
}

/** Plays a counterexample of the current flow, or reports why there is none. */
export function playCounterexampleOfShownFlow(): void {
  const flow = currentFlow();
  if (!flow) return;
  const problem = counterexampleOf(flow);
  if (problem) void playCounterexample(flow, problem);
  else if (flow.report?.soundness.status === 'sound') noticeProblem(texts.nothingToShow, texts.sound);
  else noticeProblem(texts.nothingToShow, texts.noCounterexample);
}
