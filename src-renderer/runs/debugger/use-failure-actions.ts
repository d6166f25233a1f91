import { IconGitBranch, IconRefresh } from '@tabler/icons-react';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { continueWithFixedFlow, flowChange } from '#renderer/runs/time-travel/continue-fixed.ts';
import type { FailureAction } from './error-card.tsx';
import { retryFailedStep } from './give-run-command.ts';
import { texts } from './texts.ts';

/** Whether the shown run failed and its flow was edited since: then the error card has the primary button, not the toolbar. */
export function useFixedFlow(view: RunView | null): boolean {
  return useEditor((state) => view?.status === 'error' && flowChange(view, state) === 'fixed');
}

/** Actions for a failed step, the most likely first. */
export function useFailureActions(view: RunView | null): readonly FailureAction[] {
  const change = useEditor((state) => (view ? flowChange(view, state) : 'none'));
  if (!view) return [];
  const fixed = change === 'fixed';
  const proceed: FailureAction = {
    label: fixed ? texts.failure.continueFixed : texts.failure.continueCurrent,
    hint: texts.failure.continueHint,
    icon: IconGitBranch,
    primary: fixed,
    act: () => void continueWithFixedFlow(),
  };
  const retry: FailureAction = {
    label: fixed ? texts.failure.retryOriginal : texts.failure.retry,
    hint: texts.failure.retryHint,
    icon: IconRefresh,
    primary: false,
    act: retryFailedStep,
  };
  const retries = view.read_only ? [] : [retry];
  if (fixed) return [proceed, ...retries];
  return change === 'nested' || view.read_only ? [...retries, proceed] : retries;
}
