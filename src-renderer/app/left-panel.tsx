import { PanelTabs } from '#renderer/controls/panel-tabs.tsx';
import { FlowsPanel } from '#renderer/library/flows-panel.tsx';
import { LibraryPanel } from '#renderer/library/library-panel.tsx';
import { OutlinePanel } from '#renderer/library/outline-panel.tsx';
import { usePanels } from '#renderer/stores/use-panels.ts';
import { texts } from './texts.ts';

/** The left panel: library, flows of the folder, outline of the flow. */
export function LeftPanel() {
  const tab = usePanels((state) => state.left.tab);
  const showLeft = usePanels((state) => state.showLeft);
  return (
    <PanelTabs
      label={texts.leftPanel}
      current={tab}
      onSelect={showLeft}
      tabs={[
        { id: 'library', label: texts.library, content: <LibraryPanel /> },
        { id: 'flows', label: texts.flows, content: <FlowsPanel /> },
        { id: 'outline', label: texts.outline, content: <OutlinePanel /> },
      ]}
    />
  );
}
