import { IconGitBranch, IconRefresh } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { recordedSourcesStore } from '#renderer/runs/model/recorded-sources.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { canContinueEdited, continueWithEditedFlow } from '#renderer/runs/time-travel/continue-edited.ts';
import { type FlowChange, flowChange } from '#renderer/runs/time-travel/flow-change.ts';
import { texts as travelTexts } from '#renderer/runs/time-travel/texts.ts';
import type { FailureAction } from './error-card.tsx';
import { retryFailedStep } from './give-run-command.ts';
import { texts } from './texts.ts';

function useFlowChange(view: RunView | null): FlowChange {
  const { sources } = useStore(recordedSourcesStore);
  return useEditor((state) => (view && canContinueEdited(view) ? flowChange(view, state, sources) : 'none'));
}

/** Whether the run stands where it can continue with its flow as it was edited since. */
export function useEditedFlow(view: RunView | null): boolean {
  return useFlowChange(view) === 'edited';
}

/** Actions for a failed step, the most likely first. */
export function useFailureActions(view: RunView | null): readonly FailureAction[] {
  const change = useFlowChange(view);
  if (!view) return [];
  const edited = change === 'edited';
  const proceed: FailureAction = {
    label: edited ? travelTexts.continueEdited.label : texts.failure.continueCurrent,
    hint: travelTexts.continueEdited.hint,
    icon: IconGitBranch,
    primary: edited,
    act: () => void continueWithEditedFlow(),
  };
  const retry: FailureAction = {
    label: edited ? texts.failure.retryOriginal : texts.failure.retry,
    hint: texts.failure.retryHint,
    icon: IconRefresh,
    primary: false,
    act: retryFailedStep,
  };
  const retries = view.read_only ? [] : [retry];
  if (edited) return [proceed, ...retries];
  return change === 'nested' || view.read_only ? [...retries, proceed] : retries;
}
