import { Modal } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { useStore } from 'zustand';
import type { HistoryStep } from '#renderer/document/editing/history.ts';
import type { FlowState } from '#renderer/document/editing/open-flow.ts';
import { travelInHistory } from '#renderer/document/flows/editor.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { closeDialog, dialogsStore } from '#renderer/shell/dialogs-store.ts';
import styles from './history-dialog.module.css';
import { texts } from './texts.ts';

/** The undo and redo steps of the current flow. Choosing one goes there at once; the list stays open. */
export function HistoryDialog() {
  const open = useStore(dialogsStore, (state) => state.open === 'history');
  return (
    <Modal opened={open} onClose={closeDialog} title={texts.title} size="sm">
      {open && <HistoryList />}
    </Modal>
  );
}

function HistoryList() {
  const history = useCurrentFlow((flow) => flow?.history ?? null);
  const list = useRef<HTMLDivElement>(null);
  if (!history) return <p>{texts.noFlow}</p>;
  const done = history.past.length;
  const steps: (HistoryStep<FlowState> | null)[] = [null, ...history.past, ...[...history.future].reverse()];

  function goTo(index: number) {
    const target = Math.min(steps.length - 1, Math.max(0, index));
    travelInHistory(target);
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[target]?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowUp: done - 1, ArrowDown: done + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    goTo(target);
  }

  return (
    <>
      <p className={styles.hint}>{texts.hint}</p>
      <div ref={list} className={styles.list} role="listbox" aria-label={texts.steps} onKeyDown={onKeyDown}>
        {steps.map((step, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity other than its position
            key={index}
            role="option"
            aria-selected={index === done}
            tabIndex={index === done ? 0 : -1}
            data-autofocus={index === done || undefined}
            data-undone={index > done}
            className={styles.step}
            onClick={() => goTo(index)}
          >
            <span className={styles.label}>{step ? step.label : texts.opened}</span>
            {step && <time className={styles.time}>{clock(step.at)}</time>}
          </div>
        ))}
      </div>
    </>
  );
}

/** The time of a step; `at` is in milliseconds since the page was opened. */
function clock(at: number): string {
  return new Date(performance.timeOrigin + at).toLocaleTimeString();
}
