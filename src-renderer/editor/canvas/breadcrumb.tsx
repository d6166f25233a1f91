import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconCornerLeftUp } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useStore } from 'zustand';
import { studio } from '#renderer/api/studio.ts';
import { goOut } from '#renderer/document/flows/nesting.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { useNesting } from '#renderer/document/flows/use-nesting.ts';
import { type ShownItem, shownItems, wayInto } from '#renderer/runs/model/run-inside.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
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
  return items.map((item, index) => <ItemShown key={item.each} run_id={view.run_id} item={item} last={lastBegun(item, now[index])} />);
}

/** The number of the last item that has begun. */
function lastBegun({ each, number, of }: ShownItem, now: ShownItem | undefined): number {
  // In another item of an outer node, all items have begun.
  return now?.each === each ? now.number : (of ?? number);
}

function ItemShown({ run_id, item, last }: { run_id: string; item: ShownItem; last: number }) {
  const { each, input, number, of } = item;
  const goTo = async (to: number) => {
    const first = `${each}[${to - 1}]::${input}`;
    const { iteration } = await studio.runs.iteration({ run_id, node: first }).catch(() => ({ iteration: null }));
    if (iteration) runSessionStore.getState().select(iteration.from_seq);
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

function stepProps(label: string, disabled: boolean) {
  return { 'aria-label': label, title: label, size: 18, variant: 'transparent', color: 'inherit', disabled } as const;
}
