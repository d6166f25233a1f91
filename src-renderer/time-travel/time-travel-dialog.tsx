import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { askCanvas } from '#renderer/commands/canvas-requests.ts';
import { shortRunName } from '#renderer/runs/run-name.ts';
import { CompareChoice } from './compare-choice.tsx';
import { ExportForm } from './export-form.tsx';
import { ForkForm } from './fork-form.tsx';
import { RestoreForm } from './restore-form.tsx';
import { closeTimeTravelDialog, type TimeTravelDialog as Dialog, timeTravelDialogStore } from './time-travel-dialogs.ts';

function titleOf(dialog: Dialog): string {
  const name = `run ${shortRunName(dialog.run.run_id)}`;
  switch (dialog.type) {
    case 'fork':
      return dialog.seq === 0 ? `Run from the start of ${name}` : `Run from step ${dialog.seq} of ${name}`;
    case 'restore':
      return dialog.seq === 0 ? `Restore files as at the start of ${name}` : `Restore files as after step ${dialog.seq} of ${name}`;
    case 'compare':
      return `Compare ${name} with another run`;
    case 'export':
      return `Export ${name} as a capsule`;
  }
}

/** The dialogs about a run's past: fork, restore files, compare, export. */
export function TimeTravelDialog() {
  const dialog = useStore(timeTravelDialogStore, (state) => state.dialog);
  const [shown, setShown] = useState(dialog);
  // While the dialog closes it still shows what it was about.
  if (dialog && dialog !== shown) setShown(dialog);
  const open = dialog !== null;
  useEffect(() => {
    if (!open) return;
    // What opened it may be gone by then, as the row of a palette is: the keyboard is not lost with it.
    return () => void setTimeout(() => document.activeElement === document.body && askCanvas('focus'), 30);
  }, [open]);
  return (
    <Modal
      opened={open}
      onClose={closeTimeTravelDialog}
      title={shown && titleOf(shown)}
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
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
    case 'restore':
      return <RestoreForm key={`${dialog.run.run_id} ${dialog.seq}`} {...dialog} />;
    case 'compare':
      return <CompareChoice run={dialog.run} />;
    case 'export':
      return <ExportForm key={dialog.run.run_id} run={dialog.run} />;
  }
}
