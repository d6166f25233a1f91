import { FlowsPanel } from '#renderer/editor/library/flows-panel.tsx';
import { LibraryPanel } from '#renderer/editor/library/library-panel.tsx';
import { OutlinePanel } from '#renderer/editor/library/outline-panel.tsx';
import { ConversationsPanel } from '#renderer/runs/conversations/conversations-panel.tsx';
import { usePanels } from '#renderer/shell/use-panels.ts';
import { PanelTabs } from '#renderer/ui/controls/panel-tabs.tsx';
import { ClosePanel } from './close-panel.tsx';
import { texts } from './texts.ts';

/** The left panel: library, flows of the folder, outline of the flow, what agents remember. */
export function LeftPanel() {
  const tab = usePanels((state) => state.left.tab);
  const showLeft = usePanels((state) => state.showLeft);
  return (
    <PanelTabs
      label={texts.leftPanel}
      current={tab}
      onSelect={showLeft}
      trailing={<ClosePanel panel="left" />}
      tabs={[
        { id: 'library', label: texts.library, content: <LibraryPanel /> },
        { id: 'flows', label: texts.flows, content: <FlowsPanel /> },
        { id: 'outline', label: texts.outline, content: <OutlinePanel /> },
        { id: 'conversations', label: texts.conversations, content: <ConversationsPanel /> },
      ]}
    />
  );
}
