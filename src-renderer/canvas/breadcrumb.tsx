import { IconChevronRight, IconCornerLeftUp } from '@tabler/icons-react';
import { Fragment } from 'react';
import { goOut } from '#renderer/stores/nesting.ts';
import { useEditor } from '#renderer/stores/use-editor.ts';
import { useNesting } from '#renderer/stores/use-nesting.ts';
import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import styles from './breadcrumb.module.css';

/** The way into a nested flow that was opened from its node; each flow on it can be gone back to. Nothing for a flow that was opened by itself. */
export function Breadcrumb() {
  const outer = useNesting();
  const current = useEditor((state) => state.current);
  if (outer.length === 0 || current === null) return null;
  return (
    <nav className={styles.breadcrumb} aria-label="Nested in">
      <button
        type="button"
        className={styles.up}
        aria-label="Back to the outer flow"
        title="Back to the outer flow (Alt+↑)"
        onClick={() => void goOut()}
      >
        <IconCornerLeftUp size={15} aria-hidden="true" />
      </button>
      {outer.map(({ path, node }) => (
        <Fragment key={`${path} ${node}`}>
          <button type="button" className={styles.flow} title={path} onClick={() => void goOut(path)}>
            {withoutFlowEnding(path)}
          </button>
          <IconChevronRight size={13} className={styles.between} aria-hidden="true" />
        </Fragment>
      ))}
      <span className={styles.flow} aria-current="page" title={current}>
        {withoutFlowEnding(current)}
      </span>
    </nav>
  );
}
