import { IconGitBranch, IconRefresh } from '@tabler/icons-react';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { useEditor } from '#renderer/stores/use-editor.ts';
import { continueWithFixedFlow, flowChange } from '#renderer/time-travel/continue-fixed.ts';
import type { FailureAction } from './error-card.tsx';
import { retryFailedStep } from './give-run-command.ts';

/** Whether the shown run failed and its flow was edited since: the primary button is then the failure's, not the toolbar's. */
export function useFixedFlow(view: RunView | null): boolean {
  return useEditor((state) => view?.status === 'error' && flowChange(view, state) === 'fixed');
}

/** What can be done about a failed step, the most likely first. */
export function useFailureActions(view: RunView | null): readonly FailureAction[] {
  const change = useEditor((state) => (view ? flowChange(view, state) : 'none'));
  if (!view) return [];
  const fixed = change === 'fixed';
  const proceed: FailureAction = {
    label: fixed ? 'Continue with the fixed flow' : 'Continue with the current flow',
    hint: 'Save the flow, then start a new run before this step, with the states as they were',
    icon: IconGitBranch,
    primary: fixed,
    act: () => void continueWithFixedFlow(),
  };
  const retry: FailureAction = {
    label: fixed ? 'Retry with the original flow' : 'Retry step',
    hint: 'Run this step again, with the states as they were before it and the flow as it was when the run began',
    icon: IconRefresh,
    primary: false,
    act: retryFailedStep,
  };
  const retries = view.read_only ? [] : [retry];
  if (fixed) return [proceed, ...retries];
  return change === 'nested' || view.read_only ? [...retries, proceed] : retries;
}
