import { PanelTabs } from '#renderer/controls/panel-tabs.tsx';
import { useWaitingCount } from '#renderer/inbox/use-waiting-count.ts';
import { WaitingPanel } from '#renderer/inbox/waiting-panel.tsx';
import { FlowInspector } from '#renderer/inspector/flow-inspector.tsx';
import { NodeInspector } from '#renderer/inspector/node-inspector.tsx';
import { usePanels } from '#renderer/stores/use-panels.ts';

/** What waits for the user, the selected node, the flow as a whole. */
export function RightPanel() {
  const tab = usePanels((state) => state.right.tab);
  const showRight = usePanels((state) => state.showRight);
  const waiting = useWaitingCount();
  return (
    <PanelTabs
      label="Inspector"
      current={tab}
      onSelect={showRight}
      tabs={[
        { id: 'waiting', label: 'Waiting', ...(waiting > 0 && { count: waiting }), content: <WaitingPanel /> },
        { id: 'node', label: 'Node', content: <NodeInspector /> },
        { id: 'flow', label: 'Flow', content: <FlowInspector /> },
      ]}
    />
  );
}
