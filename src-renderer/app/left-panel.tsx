import { PanelTabs } from '#renderer/controls/panel-tabs.tsx';
import { FlowsPanel } from '#renderer/library/flows-panel.tsx';
import { LibraryPanel } from '#renderer/library/library-panel.tsx';
import { OutlinePanel } from '#renderer/library/outline-panel.tsx';
import { usePanels } from '#renderer/stores/use-panels.ts';

/** What can be put onto the canvas, what is in the folder, what is on the canvas. */
export function LeftPanel() {
  const tab = usePanels((state) => state.left.tab);
  const showLeft = usePanels((state) => state.showLeft);
  return (
    <PanelTabs
      label="Library and flows"
      current={tab}
      onSelect={showLeft}
      tabs={[
        { id: 'library', label: 'Library', content: <LibraryPanel /> },
        { id: 'flows', label: 'Flows', content: <FlowsPanel /> },
        { id: 'outline', label: 'Outline', content: <OutlinePanel /> },
      ]}
    />
  );
}
