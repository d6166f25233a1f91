import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { CompareChoice } from './compare-choice.tsx';
import { ExportForm } from './export-form.tsx';
import { ForkForm } from './fork-form.tsx';
import { MatrixForm } from './matrix-form.tsx';
import { RestoreForm } from './restore-form.tsx';
import { texts } from './texts.ts';
import { closeTimeTravelDialog, type TimeTravelDialog as Dialog, timeTravelDialogStore } from './time-travel-dialogs.ts';

function titleOf(dialog: Dialog): string {
  const run = shortRunName(dialog.run.run_id);
  switch (dialog.type) {
    case 'fork':
      return dialog.continues ? texts.dialog.continueEdited(run) : texts.dialog.fork(run, dialog.seq);
    case 'matrix':
      return texts.dialog.matrix(run, dialog.seq);
    case 'restore':
      return texts.dialog.restore(run, dialog.seq);
    case 'compare':
      return texts.dialog.compare(run);
    case 'export':
      return texts.dialog.exportCapsule(run);
  }
}

/** The dialogs for past steps: fork, restore files, compare, export. */
export function TimeTravelDialog() {
  const dialog = useStore(timeTravelDialogStore, (state) => state.dialog);
  const [shown, setShown] = useState(dialog);
  // While the dialog closes, it still shows its content.
  if (dialog && dialog !== shown) setShown(dialog);
  const open = dialog !== null;
  useEffect(() => {
    if (!open) return;
    // The element that opened it may be gone by then, like the row of a palette: keep the focus in the page.
    return () => void setTimeout(() => document.activeElement === document.body && askCanvas('focus'), 30);
  }, [open]);
  return (
    <Modal
      opened={open}
      onClose={closeTimeTravelDialog}
      title={shown && titleOf(shown)}
      size="xl"
      closeButtonProps={{ 'aria-label': texts.close }}
      transitionProps={{ duration: 0 }}
    >
      {shown && <Content dialog={shown} />}
    </Modal>
  );
}

function Content({ dialog }: { dialog: Dialog }) {
  switch (dialog.type) {
    case 'fork':
      return <ForkForm key={`${dialog.run.run_id} ${dialog.seq}`} {...dialog} />;
    case 'matrix':
      return <MatrixForm key={`${dialog.run.run_id} ${dialog.seq}`} {...dialog} />;
    case 'restore':
      return <RestoreForm key={`${dialog.run.run_id} ${dialog.seq}`} {...dialog} />;
    case 'compare':
      return <CompareChoice run={dialog.run} />;
    case 'export':
      return <ExportForm key={dialog.run.run_id} run={dialog.run} />;
  }
}
