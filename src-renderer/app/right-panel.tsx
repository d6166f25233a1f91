import { FlowInspector } from '#renderer/editor/inspector/flow-inspector.tsx';
import { NodeInspector } from '#renderer/editor/inspector/node-inspector.tsx';
import { ChatPanel } from '#renderer/runs/chat/chat-panel.tsx';
import { DebugPanel } from '#renderer/runs/debug-panel/debug-panel.tsx';
import { useWaitingCount } from '#renderer/runs/inbox/use-waiting-count.ts';
import { WaitingPanel } from '#renderer/runs/inbox/waiting-panel.tsx';
import { usePanels } from '#renderer/shell/use-panels.ts';
import { PanelTabs } from '#renderer/ui/controls/panel-tabs.tsx';
import { ClosePanel } from './close-panel.tsx';
import { texts } from './texts.ts';

/** The right panel: inbox, selected node, current flow, a chat with its agents. */
export function RightPanel() {
  const tab = usePanels((state) => state.right.tab);
  const showRight = usePanels((state) => state.showRight);
  const waiting = useWaitingCount();
  return (
    <PanelTabs
      label={texts.rightPanel}
      current={tab}
      onSelect={showRight}
      trailing={<ClosePanel panel="right" />}
      tabs={[
        { id: 'waiting', label: texts.inbox, ...(waiting > 0 && { count: waiting }), content: <WaitingPanel /> },
        { id: 'node', label: texts.node, content: <NodeInspector /> },
        { id: 'debug', label: texts.debug, content: <DebugPanel /> },
        { id: 'flow', label: texts.flow, content: <FlowInspector /> },
        { id: 'chat', label: texts.chat, content: <ChatPanel /> },
      ]}
    />
  );
}
