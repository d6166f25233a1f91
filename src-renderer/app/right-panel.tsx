import { PanelTabs } from '#renderer/controls/panel-tabs.tsx';
import { useWaitingCount } from '#renderer/inbox/use-waiting-count.ts';
import { WaitingPanel } from '#renderer/inbox/waiting-panel.tsx';
import { FlowInspector } from '#renderer/inspector/flow-inspector.tsx';
import { NodeInspector } from '#renderer/inspector/node-inspector.tsx';
import { usePanels } from '#renderer/stores/use-panels.ts';
import { texts } from './texts.ts';

/** The right panel: inbox, selected node, current flow. */
export function RightPanel() {
  const tab = usePanels((state) => state.right.tab);
  const showRight = usePanels((state) => state.showRight);
  const waiting = useWaitingCount();
  return (
    <PanelTabs
      label={texts.rightPanel}
      current={tab}
      onSelect={showRight}
      tabs={[
        { id: 'waiting', label: texts.inbox, ...(waiting > 0 && { count: waiting }), content: <WaitingPanel /> },
        { id: 'node', label: texts.node, content: <NodeInspector /> },
        { id: 'flow', label: texts.flow, content: <FlowInspector /> },
      ]}
    />
  );
}
