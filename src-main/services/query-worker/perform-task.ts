import { FlowError, ToolError } from '#shared/run/error.ts';
import type { BackgroundFolder } from './background-folder.ts';
import type { TaskRequest } from './protocol.ts';
import { tasks } from './tasks.ts';

/**
 * Runs a task. Throws what the task throws; an unexpected error while reading a run becomes a `SnapLoadError`: an imported
 * journal may contain anything, even with matching hashes.
 */
export async function performTask(folder: BackgroundFolder, { task, input }: Pick<TaskRequest, 'task' | 'input'>): Promise<unknown> {
  const perform = tasks[task] as (folder: BackgroundFolder, input: TaskRequest['input']) => unknown;
  try {
    return await perform(folder, input);
  } catch (thrown) {
    const runId = runOf(input);
    if (runId === null || thrown instanceof FlowError || thrown instanceof ToolError || !(thrown instanceof Error)) throw thrown;
    throw new FlowError(
      'SnapLoadError',
      `The record of run ${runId} is invalid (${thrown.message}). It was altered or written by another program.`,
      { details: { run_id: runId, stack: thrown.stack ?? '' } },
    );
  }
}

function runOf(input: unknown): string | null {
  const runId = typeof input === 'object' && input !== null && 'run_id' in input ? input.run_id : null;
  return typeof runId === 'string' ? runId : null;
}
