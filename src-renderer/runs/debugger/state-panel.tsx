import { SegmentedControl } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import { wholeOf } from '#renderer/ui/values/value-difference.ts';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import type { FrameProgress, StateAt, StateEntry } from '#shared/contract/runs.ts';
import { ComparedPoints } from './compared-points.tsx';
import { comparedStepStore } from './compared-step.ts';
import { itemText } from './item-text.ts';
import { MessagesAdded } from './messages-added.tsx';
import { isFresh, stateDifference } from './state-changes.ts';
import styles from './state-panel.module.css';
import { texts } from './texts.ts';

interface StatePanelProps {
  readonly view: RunView;
  readonly at: StateAt;
  readonly titles: NodeTitles;
  readonly by: string | null;
}

/** What the panel shows of each state. It stays as chosen from step to step. */
const shownStore = createStore<{ readonly shown: 'values' | 'changes' }>()(() => ({ shown: 'values' }));

/** The state map in full, or what differs between two steps that are selected in the timeline. */
export function StatePanel(props: StatePanelProps) {
  const compared = useStore(comparedStepStore, (state) => state.seq);
  const { view, titles, at } = props;
  if (compared === null || compared === at.seq) return <StateMap {...props} />;
  return <ComparedPoints view={view} titles={titles} at={at} with={compared} />;
}

/** Each state opens into its value, or into what the step shown changed in it. */
function StateMap(props: StatePanelProps) {
  const { at, by, view, titles } = props;
  const shown = useStore(shownStore, (state) => state.shown);
  const present = new Set(at.states.map(({ name }) => name));
  const round = useRunSession((state) => state.round);
  // At the end of an item the next one has begun: its states are not those of the chosen one.
  const isOf = ({ node, index, call }: FrameProgress) =>
    call !== undefined || round?.kind !== 'item' || node !== round.node || index + 1 === round.index;
  const consumed = at.consumed.filter(({ name }) => !present.has(name));
  return (
    <div className={styles.panel}>
      <div className={styles.bar}>
        <span className={styles.step}>{texts.state.afterStep(at.seq)}</span>
        <SegmentedControl
          size="xs"
          aria-label={texts.state.valuesOrChanges}
          data={[
            { value: 'values', label: texts.state.values },
            { value: 'changes', label: texts.state.changes },
          ]}
          value={shown}
          onChange={(value) => shownStore.setState({ shown: value as 'values' | 'changes' })}
        />
      </div>
      {at.states.map((state) => (
        <State key={state.name} {...props} state={state} by={null} />
      ))}
      {at.items
        .filter(isOf)
        .flatMap((progress) =>
          progress.states.map((state) => (
            <State
              key={`${progress.node} ${state.name}`}
              {...props}
              state={{ ...state, written_at: -1, written_by: '' }}
              by={null}
              place={itemText(progress)}
              item={progress.call ? progress.node : `${progress.node}[${progress.index}]`}
            />
          )),
        )}
      {consumed.map((state) => (
        <State key={`consumed ${state.name}`} {...props} state={state} by={by ?? ''} />
      ))}
      {by !== null && view.conversations.some(({ node }) => node === by) && (
        <MessagesAdded view={view} titles={titles} nodes={[by]} from={at.seq - 1} to={at.seq} />
      )}
    </div>
  );
}

/** The keyboard opens the menu at the element. */
const noPoint = { clientX: 0, clientY: 0 };

interface StateProps extends StatePanelProps {
  readonly state: StateEntry;
  /** The node that consumed it; null while it waits. */
  readonly by: string | null;
  /** Of a state inside an item: where that is. */
  readonly place?: string;
  /** The item's id in the run. */
  readonly item?: string;
}

function ageText(state: StateEntry, { at, titles, view }: StatePanelProps): string {
  const forked = view.forked_from !== null;
  if (state.written_at === 0) return forked ? texts.state.forkPoint : texts.state.runInput;
  const age = at.seq - state.written_at;
  return [titles(state.written_by), texts.state.step(state.written_at), texts.state.age(age)].join(' · ');
}

function State(props: StateProps) {
  const { state, at, titles, by, item, view } = props;
  const gone = by !== null;
  const fresh = !gone && isFresh(state, at);
  const [open, setOpen] = useState(fresh);
  const changes = useStore(shownStore, (now) => now.shown === 'changes') && !gone;
  const difference = useMemo(() => (changes ? stateDifference(state, at) : wholeOf('same', state.value)), [changes, state, at]);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const showMenu = (path: string, event: MouseEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => {
    event.preventDefault();
    // What the step consumed was there before it.
    const seq = gone ? at.seq - 1 : at.seq;
    const value = { run_id: view.run_id, seq, state: state.name, ...(item && { item }), ...(path !== '' && { path }) };
    const point = 'clientX' in event ? event : noPoint;
    openMenu({
      place: 'state',
      label: texts.state.menu(`${state.name}${path}`),
      ...menuPoint(point, event.currentTarget),
      subject: { value },
    });
  };
  return (
    <section className={styles.state} data-gone={gone}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onContextMenu={(event) => showMenu('', event)}
      >
        <Chevron size={14} aria-hidden="true" />
        {gone ? <del className={styles.name}>{state.name}</del> : <span className={styles.name}>{state.name}</span>}
        {fresh && <span className={styles.badge}>{state.previous === undefined ? texts.state.new : texts.state.changed}</span>}
        {gone && <span className={styles.note}>{texts.state.consumed(by && titles(by))}</span>}
        {!open && !gone && <span className={styles.preview}>{previewOf(state.value, 160)}</span>}
        <span className={styles.age}>{props.place ?? ageText(state, props)}</span>
      </button>
      {open && (
        <div className={styles.value}>
          <ValueTree
            key={String(changes)}
            label={texts.state.valueOf(state.name)}
            difference={difference}
            onMenu={changes ? undefined : showMenu}
          />
        </div>
      )}
    </section>
  );
}
