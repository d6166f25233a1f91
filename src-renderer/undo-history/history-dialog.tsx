import { Modal } from '@mantine/core';
import { type KeyboardEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { closeDialog, dialogsStore } from '#renderer/commands/dialogs-store.ts';
import type { HistoryStep } from '#renderer/editing/history.ts';
import type { FlowState } from '#renderer/editing/open-flow.ts';
import { travelInHistory } from '#renderer/stores/editor.ts';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import styles from './history-dialog.module.css';

/** Every step of the flow shown that can be undone or redone; a choice of one goes there at once, and the list stays. */
export function HistoryDialog() {
  const open = useStore(dialogsStore, (state) => state.open === 'history');
  return (
    <Modal opened={open} onClose={closeDialog} title="Undo history" size="sm">
      {open && <HistoryList />}
    </Modal>
  );
}

function HistoryList() {
  const history = useCurrentFlow((flow) => flow?.history ?? null);
  const list = useRef<HTMLDivElement>(null);
  if (!history) return <p>No flow is open.</p>;
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
      <p className={styles.hint}>Choose a step to see the flow as it was after it. Nothing is lost until you edit from there.</p>
      <div ref={list} className={styles.list} role="listbox" aria-label="Steps" onKeyDown={onKeyDown}>
        {steps.map((step, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list around the steps has the keys
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the history
            key={index}
            role="option"
            aria-selected={index === done}
            tabIndex={index === done ? 0 : -1}
            data-autofocus={index === done || undefined}
            data-undone={index > done}
            className={styles.step}
            onClick={() => goTo(index)}
          >
            <span className={styles.label}>{step ? step.label : 'As it was opened'}</span>
            {step && <time className={styles.time}>{clock(step.at)}</time>}
          </div>
        ))}
      </div>
    </>
  );
}

/** When a step was done; `at` is in milliseconds since the page was opened. */
function clock(at: number): string {
  return new Date(performance.timeOrigin + at).toLocaleTimeString();
}
