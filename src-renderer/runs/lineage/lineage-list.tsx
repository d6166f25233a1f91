import { CloseButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useStore } from 'zustand';
import { showFrame } from '#renderer/runs/breakpoints/show-frame.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { EmptyPart, PanelSection } from '#renderer/ui/controls/panel-section.tsx';
import type { LineageStep } from '#shared/contract/lineage.ts';
import { placeText } from '#shared/run/stop.ts';
import styles from './lineage-list.module.css';
import { closeLineage, lineageStore, type ShownLineage, selectLineageStep } from './lineage-store.ts';
import { texts } from './texts.ts';

/** The shown lineage as a list: the arrow keys go through its steps. Absent while none is shown. */
export function LineageList() {
  const shown = useStore(lineageStore, (state) => state.shown);
  if (!shown) return null;
  const { direction, lineage, failure } = shown;
  return (
    <PanelSection title={texts.title[direction]} trailing={<CloseButton size="sm" aria-label={texts.close} onClick={closeLineage} />}>
      {failure !== null && <EmptyPart>{texts.failed(failure)}</EmptyPart>}
      {!lineage && failure === null && <EmptyPart>{texts.reading}</EmptyPart>}
      {lineage && <Steps shown={shown} steps={lineage.steps} />}
      {lineage?.steps.length === 1 && direction === 'forth' && <EmptyPart>{texts.unused}</EmptyPart>}
      {lineage?.cut && <EmptyPart>{texts.cut(lineage.steps.length)}</EmptyPart>}
    </PanelSection>
  );
}

function Steps({ shown, steps }: { shown: ShownLineage; steps: readonly LineageStep[] }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const forked = useRunSession(({ view }) => view?.forked_from != null);
  const { at, direction, state, path = '' } = shown;

  // The user has asked for the list: its keys work at once.
  useEffect(() => {
    list.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  function look(index: number) {
    const step = steps[index];
    if (!step) return;
    selectLineageStep(index);
    void showFrame(step.place, false);
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: steps.length - 1, Enter: at }[event.key];
    if (event.key === 'Escape') closeLineage();
    if (target === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    look(Math.min(steps.length - 1, Math.max(0, target)));
  }

  return (
    <div
      ref={list}
      role="listbox"
      className={styles.steps}
      tabIndex={0}
      aria-label={texts.list(`${steps[0]?.name ?? state}${path}`, direction)}
      aria-activedescendant={`${id}-${at}`}
      onKeyDown={onKeyDown}
    >
      {steps.map((step, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its position in the lineage
          key={index}
          id={`${id}-${index}`}
          role="option"
          className={styles.step}
          aria-selected={index === at}
          onClick={() => look(index)}
        >
          <span className={styles.number}>{index + 1}</span>
          <span className={styles.title}>{titleOf(step, forked)}</span>
          <span className={styles.seq}>{texts.step(step.seq)}</span>
          <code className={styles.state} title={`${step.state}${step.path ?? ''}`}>
            {step.name}
            {step.path}
          </code>
          <span className={styles.how}>{howText(step)}</span>
        </div>
      ))}
    </div>
  );
}

function titleOf({ seq, place }: LineageStep, forked: boolean): string {
  if (seq === 0) return forked ? texts.fork : texts.start;
  const turn = place.at(-1)?.turn;
  return [placeText(place), turn !== undefined && texts.turn(turn)].filter(Boolean).join(', ');
}

function howText({ how, introduced, found_in }: LineageStep): string {
  return [texts.how[how], introduced && texts.introduced, found_in && texts.foundIn(found_in.tool, found_in.turn)]
    .filter(Boolean)
    .join(', ');
}
