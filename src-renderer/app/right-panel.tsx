import { PanelTabs } from '#renderer/controls/panel-tabs.tsx';
import { FlowInspector } from '#renderer/inspector/flow-inspector.tsx';
import { NodeInspector } from '#renderer/inspector/node-inspector.tsx';
import { usePanels } from '#renderer/stores/use-panels.ts';

/** What waits for the user, the selected node, the flow as a whole. */
export function RightPanel() {
  const tab = usePanels((state) => state.right.tab);
  const showRight = usePanels((state) => state.showRight);
  return (
    <PanelTabs
      label="Inspector"
      current={tab}
      onSelect={showRight}
      tabs={[
        { id: 'node', label: 'Node', content: <NodeInspector /> },
        { id: 'flow', label: 'Flow', content: <FlowInspector /> },
      ]}
    />
  );
}
