import { maskSecrets } from '#main/engine/secrets/mask.ts';
import { summaryOf } from '#main/runner/run-views.ts';
import { secretsToMask } from '#main/time-travel/history-options.ts';
import type { Question, SavedAnswerDraft } from '#main/workspace/answer-drafts.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import type { AnswerDraft, StoredAnswerDraft } from '#shared/contract/answer-drafts.ts';
import { FlowError } from '#shared/run/error.ts';
import type { BackgroundFolder } from './background-folder.ts';

/** Background tasks on answer drafts. */
export const answerDraftTasks = {
  readAnswerDraft(folder: BackgroundFolder, question: Question): Promise<StoredAnswerDraft | null> {
    return folder.answers.read(question, () => waits(folder, question));
  },

  /** Masks known secrets before writing. */
  async saveAnswerDraft(
    folder: BackgroundFolder,
    { draft, based_on, ...question }: Question & { readonly draft: AnswerDraft; readonly based_on: number },
  ): Promise<SavedAnswerDraft | { readonly status: 'settled' }> {
    const secrets = await secretsToMask(folder.folder, await loadSettings(folder.folder));
    const masked = maskSecrets(secrets, draft as never) as AnswerDraft;
    return folder.answers.save(question, masked, based_on, { now: Date.now(), waits: () => waits(folder, question) });
  },

  discardAnswerDraft(folder: BackgroundFolder, question: Question): Promise<void> {
    return folder.answers.discard(question);
  },

  /** Removes the drafts of questions that are no longer pending. */
  sweepAnswerDrafts(folder: BackgroundFolder): Promise<void> {
    return folder.answers.sweep((question) => waits(folder, question));
  },
} as const;

async function waits(folder: BackgroundFolder, { run_id: runId, tool_call_id }: Question): Promise<boolean> {
  return (await waitingCalls(folder, runId)).includes(tool_call_id);
}

/** Returns the pending calls of a run; empty if the run no longer exists. */
async function waitingCalls({ journals }: BackgroundFolder, runId: string): Promise<string[]> {
  try {
    const journal = await journals.holding(runId);
    const { status, suspensions } = summaryOf(journal, journal.row(runId), Date.now());
    return status === 'suspended' ? suspensions.map(({ tool_call_id }) => tool_call_id) : [];
  } catch (error) {
    if (error instanceof FlowError && error.variant === 'NotFound') return [];
    throw error;
  }
}
