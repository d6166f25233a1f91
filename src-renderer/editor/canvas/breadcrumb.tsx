import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconCornerLeftUp } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useStore } from 'zustand';
import { studio } from '#renderer/api/studio.ts';
import { goOut } from '#renderer/document/flows/nesting.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { useNesting } from '#renderer/document/flows/use-nesting.ts';
import { type ShownItem, shownItems, wayInto } from '#renderer/runs/model/run-inside.ts';
import type { ChosenRound } from '#renderer/runs/model/run-session.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import styles from './breadcrumb.module.css';
import { texts } from './texts.ts';

/** The path to a nested flow that was opened from its node, with links back. Renders nothing for a flow opened directly. */
export function Breadcrumb() {
  const outer = useNesting();
  const current = useEditor((state) => state.current);
  if (outer.length === 0 || current === null) return null;
  return (
    <nav className={styles.breadcrumb} aria-label={texts.tabs.nestedIn}>
      <button type="button" className={styles.up} aria-label={texts.tabs.back} title={texts.tabs.backHint} onClick={() => void goOut()}>
        <IconCornerLeftUp size={15} aria-hidden="true" />
      </button>
      {outer.map(({ path, node }) => (
        <Fragment key={`${path} ${node}`}>
          <button type="button" className={styles.flow} title={path} onClick={() => void goOut(path)}>
            <VisibleText text={withoutFlowEnding(path)} />
          </button>
          <IconChevronRight size={13} className={styles.between} aria-hidden="true" />
        </Fragment>
      ))}
      <span className={styles.flow} aria-current="page" title={current}>
        <VisibleText text={withoutFlowEnding(current)} />
      </span>
      <ItemsShown />
    </nav>
  );
}

/** The items of `each` nodes whose run marks are shown, with buttons that lead to the items before and after. */
function ItemsShown() {
  const view = useRunSession((state) => state.view);
  const selected = useRunSession((state) => state.selected);
  const shown = useRunSession((state) => state.shown);
  const subject = useStore(runSubjectStore, (state) => state.flow);
  const way = view && wayInto(view, subject);
  if (!view || !way) return null;
  const items = shownItems(view, selected === null ? 'now' : { seq: selected, state: shown }, way);
  const now = shownItems(view, 'now', way);
  return items.map((item, index) => (
    <ItemShown key={item.each} run_id={view.run_id} seq={selected} item={item} last={lastBegun(item, now[index])} />
  ));
}

/** The number of the last item that has begun. */
function lastBegun({ each, number, of }: ShownItem, now: ShownItem | undefined): number {
  // In another item of an outer node, all items have begun.
  return now?.each === each ? now.number : (of ?? number);
}

interface ItemShownProps {
  readonly run_id: string;
  readonly item: ShownItem;
  readonly last: number;
  /** The selected step; null for the latest one. */
  readonly seq: number | null;
}

function ItemShown({ run_id, item, last, seq }: ItemShownProps) {
  const { number, of } = item;
  const goTo = async (to: number) => {
    try {
      const chosen = await itemOf(run_id, item, seq, to);
      if (chosen && runSessionStore.getState().view?.run_id === run_id) runSessionStore.getState().select(chosen.from_seq, chosen);
    } catch (thrown) {
      noticeFailure(texts.tabs.item(to, of), thrown);
    }
  };
  return (
    <span className={styles.item}>
      <ActionIcon {...stepProps(texts.tabs.previousItem, number <= 1)} onClick={() => void goTo(number - 1)}>
        <IconChevronLeft size={13} aria-hidden="true" />
      </ActionIcon>
      <span role="status">{texts.tabs.item(number, of)}</span>
      <ActionIcon {...stepProps(texts.tabs.nextItem, number >= last)} onClick={() => void goTo(number + 1)}>
        <IconChevronRight size={13} aria-hidden="true" />
      </ActionIcon>
    </span>
  );
}

/** An item of the firing of its `each` node that is shown; null if that has no such item. */
async function itemOf(run_id: string, { each, input }: ShownItem, seq: number | null, index: number): Promise<ChosenRound | null> {
  const { iteration: all } = await studio.runs.iteration({ run_id, node: each, ...(seq !== null && { seq }) });
  if (!all) return null;
  const frame = `${each}[${index - 1}]::`;
  const { iteration: first } = await studio.runs.iteration({ run_id, node: `${frame}${input}`, seq: all.to_seq });
  if (!first || first.from_seq < all.from_seq) return null;
  const last = await studio.runs.lastInside({ run_id, begins_with: frame, to_seq: all.to_seq });
  // The item may have come to this node more than once.
  return { kind: 'item', node: each, index, from_seq: first.from_seq, to_seq: Math.max(first.to_seq, last?.seq ?? 0) };
}

function stepProps(label: string, disabled: boolean) {
  return { 'aria-label': label, title: label, size: 18, variant: 'transparent', color: 'inherit', disabled } as const;
}
