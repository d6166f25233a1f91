import type { BackgroundFolder } from '#main/services/background/background-folder.ts';
import type { TaskRequest } from '#main/services/background/protocol.ts';
import { tasks } from '#main/services/background/tasks.ts';
import { FlowError, ToolError } from '#shared/runtime/error.ts';

/**
 * Does a task. Throws what the task throws; where one that reads a run stumbles over what is on record, that is `SnapLoadError`: a journal that
 * came from elsewhere may hold anything, and who made it may have made its hashes fit.
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
      `What is on record of run ${runId} makes no sense (${thrown.message}). It was changed, or made by something else.`,
      { details: { run_id: runId, stack: thrown.stack ?? '' } },
    );
  }
}

function runOf(input: unknown): string | null {
  const runId = typeof input === 'object' && input !== null && 'run_id' in input ? input.run_id : null;
  return typeof runId === 'string' ? runId : null;
}
