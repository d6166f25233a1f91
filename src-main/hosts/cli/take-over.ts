import { eventPrinter } from '#main/hosts/cli/output/run-output.ts';
import { recordScripts } from '#main/hosts/cli/session/record-scripts.ts';
import { drive, executorOptions, printingRefusals } from '#main/hosts/cli/session/session.ts';
import type { CommandTask } from '#main/hosts/cli/thread/messages.ts';
import { Journal } from '#main/journal/journal.ts';
import { RunExecutor } from '#main/runner/run-executor.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { RunEvent } from '#shared/run/event.ts';

/** Fails or cancels a run whose thread was terminated in the middle of a step, as the command would have. Returns the exit code. */
export function takeOver({ type, run }: Exclude<CommandTask, { type: 'command' }>): Promise<number> {
  const { folder, json, run_id: runId, record } = run;
  return printingRefusals(runId, json, async () => {
    const journal = Journal.open(run.journal_path, { in_use: true });
    try {
      const given = { json, allowCommand: run.allow_commands, allowHost: run.allow_hosts, ...(record !== undefined && { record }) };
      await using options = await executorOptions(folder, journal, await loadSettings(folder), given);
      const print = eventPrinter(json);
      // Everything else was already printed.
      const onEvent = (event: RunEvent) => {
        if (event.type === 'error' || event.type === 'end_stream') print(event);
      };
      const session = { ...options, onEvent, takeOver: run.token };
      const executor = RunExecutor.open(session, runId);
      const code = await drive(executor, session, () => (type === 'cancel' ? executor.cancel() : executor.continue()));
      if (record !== undefined) recordScripts(journal, runId, record);
      return code;
    } finally {
      journal.close();
    }
  });
}
