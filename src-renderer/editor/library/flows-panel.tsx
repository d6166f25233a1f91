import { Button } from '@mantine/core';
import { IconDots, IconFileCode, IconFilePlus, IconFileText, IconTopologyStar3 } from '@tabler/icons-react';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { askAboutFlowFile } from '#renderer/document/flows/flow-file-task-store.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { texts as actionTexts } from '#renderer/editor/actions/texts.ts';
import { startDrag } from '#renderer/editor/entries/drag-payload.ts';
import { flowPayload } from '#renderer/editor/entries/library-entries.ts';
import { menuPoint, openMenu } from '#renderer/shell/menu-store.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import rows from '#renderer/ui/controls/list-row.module.css';
import { VisibleName } from '#renderer/ui/controls/visible-text.tsx';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import { canBeNested, isCodeFlow, mayBeWorkflow, withoutFlowEnding } from '#shared/flow/flow-file.ts';
import styles from './library-panel.module.css';
import { texts } from './texts.ts';

/** The flow files of the folder: open, create, rename, delete. */
export function FlowsPanel() {
  const workspace = useWorkspace((state) => state.workspace);
  const current = useEditor((state) => state.current);
  if (!workspace)
    return (
      <EmptyState icon={IconFileText} title={texts.flows.noFolder}>
        {texts.flows.openFolder}
      </EmptyState>
    );
  const [before, ending, after] = texts.flows.noneHint;
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <Button
          variant="default"
          fullWidth
          leftSection={<IconFilePlus size={15} aria-hidden="true" />}
          onClick={() => askAboutFlowFile({ type: 'create' })}
        >
          {texts.flows.newFlow}
        </Button>
      </div>
      <div className={styles.scroll}>
        {workspace.flows.length === 0 && (
          <EmptyState icon={IconFileText} title={texts.flows.none}>
            {before}
            <code>{ending}</code>
            {after}
          </EmptyState>
        )}
        <ul>
          {workspace.flows.map((flow) => (
            <FlowRow key={flow.path} flow={flow} current={flow.path === current} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function FlowRow({ flow, current }: { flow: FlowFile; current: boolean }) {
  const code = isCodeFlow(flow.path);
  const workflow = mayBeWorkflow(flow.path);
  const Icon = code ? IconFileCode : workflow ? IconTopologyStar3 : IconFileText;
  const trusted = useWorkspace((state) => state.workspace?.trusted ?? false);
  const unsaved = useEditor((state) => {
    const open = state.flows[flow.path];
    return open ? isDirty(open) : flow.has_draft;
  });
  const openFlowMenu = (point: { readonly x: number; readonly y: number }) =>
    openMenu({ place: 'flow', label: actionTexts.menu.flow(flow.path), ...point, subject: { path: flow.path } });
  return (
    <li
      className={styles['with-menu']}
      data-current={current}
      onContextMenu={(event) => {
        event.preventDefault();
        openFlowMenu(menuPoint(event, event.currentTarget));
      }}
    >
      <button
        type="button"
        className={rows.row}
        aria-current={current}
        title={flow.path}
        draggable={canBeNested(flow.path, trusted)}
        onDragStart={(event) => startDrag(event.dataTransfer, flowPayload(editorStore.getState().current, flow.path))}
        onClick={() => void showFlow(flow.path)}
      >
        <Icon size={16} stroke={1.5} aria-hidden="true" />
        <VisibleName className={rows.name} text={withoutFlowEnding(flow.path)} />
        {workflow && <span className={styles.aside}>{texts.flows.workflow}</span>}
        {code && !trusted && <span className={styles.aside}>{texts.flows.needsTrust}</span>}
        {unsaved && <span className={styles.draft} role="img" aria-label={texts.flows.unsaved} title={texts.flows.unsaved} />}
      </button>
      <button
        type="button"
        className={styles['menu-button']}
        aria-label={texts.flows.more(flow.path)}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          openFlowMenu({ x: left, y: bottom });
        }}
      >
        <IconDots size={16} aria-hidden="true" />
      </button>
    </li>
  );
}
