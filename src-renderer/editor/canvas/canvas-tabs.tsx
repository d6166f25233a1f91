import { IconX } from '@tabler/icons-react';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { showFlow } from '#renderer/document/flows/editor.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { closeTab } from '#renderer/document/saving/sync.ts';
import { texts as actionTexts } from '#renderer/editor/actions/texts.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import styles from './canvas-tabs.module.css';
import { texts } from './texts.ts';

/** The tabs of the open flows. Renders nothing for a single flow. */
export function CanvasTabs() {
  const tabs = useEditor((state) => state.tabs);
  if (tabs.length < 2) return null;
  return (
    <nav className={styles.tabs} aria-label={texts.tabs.openFlows}>
      {tabs.map((path) => (
        <CanvasTab key={path} path={path} />
      ))}
    </nav>
  );
}

function CanvasTab({ path }: { path: string }) {
  const shown = useEditor((state) => state.current === path);
  const dirty = useEditor((state) => {
    const flow = state.flows[path];
    return flow !== undefined && isDirty(flow);
  });
  const name = withoutFlowEnding(path);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu of the tab; the buttons in it take the focus
    <div
      className={styles.tab}
      data-shown={shown}
      onContextMenu={(event) => {
        event.preventDefault();
        openMenu({ place: 'tab', label: actionTexts.menu.tab(path), ...menuPoint(event, event.currentTarget), subject: { path } });
      }}
    >
      <button
        type="button"
        className={styles.name}
        aria-current={shown ? 'page' : undefined}
        title={path}
        onClick={() => void showFlow(path)}
      >
        <VisibleText text={name} />
        {dirty && <span className={styles.dot} role="img" aria-label={texts.tabs.unsaved} />}
      </button>
      <button
        type="button"
        className={styles.close}
        aria-label={texts.tabs.close(name)}
        title={texts.tabs.closeHint}
        onClick={() => void closeTab(path)}
      >
        <IconX size={13} aria-hidden="true" />
      </button>
    </div>
  );
}
