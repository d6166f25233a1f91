import { IconChevronRight, IconCornerLeftUp } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useStore } from 'zustand';
import { goOut } from '#renderer/document/flows/nesting.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { useNesting } from '#renderer/document/flows/use-nesting.ts';
import { shownItems, wayInto } from '#renderer/runs/model/run-inside.ts';
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

/** The items of `each` nodes whose run marks are shown. */
function ItemsShown() {
  const view = useRunSession((state) => state.view);
  const selected = useRunSession((state) => state.selected);
  const shown = useRunSession((state) => state.shown);
  const subject = useStore(runSubjectStore, (state) => state.flow);
  const way = view && wayInto(view, subject);
  if (!view || !way) return null;
  const items = shownItems(view, selected === null ? 'now' : { seq: selected, state: shown }, way);
  if (items.length === 0) return null;
  return (
    <span className={styles.item} role="status">
      {items.map(({ number, of }) => texts.tabs.item(number, of)).join(', ')}
    </span>
  );
}
