import { AbandonedEffect } from '#main/engine/ports/recorder.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { onAbort } from '#main/engine/step/on-abort.ts';
import type { Json } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';

/** Seconds that a call of a tool in code may take where its author does not say. */
export const defaultToolTimeout = 60;

/** How long a tool may take to end after its run was cancelled, in milliseconds. */
export const cancellationGrace = 1000;

/** The longest time that a timer takes, in milliseconds. */
const longest = 2 ** 31 - 1;

/** A call of a tool's code in progress. */
export interface RunningCall {
  /** Aborted when the run is cancelled and when the tool's time is up. */
  readonly signal: AbortSignal;
  /** True once the engine waits for the call no longer: whatever it still does is dropped. */
  readonly ended: boolean;
}

/**
 * Runs a tool's code until it settles. Rejects with `ToolError` `Timeout` when the tool's `timeout` is over, and with `AbandonedEffect` when the run
 * was cancelled and the tool has not ended within the grace period; a result that comes later is dropped.
 */
export function withinTime(tool: Tool, runSignal: AbortSignal, work: (call: RunningCall) => Promise<Json>): Promise<Json> {
  const own = new AbortController();
  const call = { signal: own.signal, ended: false };
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    const forget = onAbort(runSignal, () => {
      own.abort(runSignal.reason);
      timers.push(setTimeout(() => end(() => reject(new AbandonedEffect(tool.name))), cancellationGrace));
    });
    const end = (settle: () => void): void => {
      call.ended = true;
      for (const timer of timers) clearTimeout(timer);
      forget();
      settle();
    };
    const { timeout } = tool;
    if (timeout !== undefined) {
      const expire = (): void => {
        const error = timedOut(tool.name, timeout);
        end(() => reject(error));
        own.abort(error);
      };
      timers.push(setTimeout(expire, Math.min(longest, timeout * 1000)));
    }
    work(call).then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}

/** The failure of a call that took longer than its tool allows. */
export function timedOut(tool: string, seconds: number): ToolError {
  return new ToolError('Timeout', `${tool} did not answer within ${seconds} s. If it needs longer, raise its timeout.`);
}
