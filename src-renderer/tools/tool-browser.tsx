import { Modal } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { consentStore } from '#renderer/consent/consent-store.ts';
import { EmptyState } from '#renderer/controls/empty-state.tsx';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { McpServerView } from './mcp-server-view.tsx';
import { mcpStore, watchMcpServers } from './mcp-store.ts';
import styles from './tool-browser.module.css';
import { closeToolBrowser, toolBrowserStore } from './tool-browser-store.ts';
import { ToolDetail } from './tool-detail.tsx';
import { ToolList } from './tool-list.tsx';

/** Everything that flows of this folder can call: what it does, what it takes, a form to try it, and the MCP servers that some of it comes from. */
export function ToolBrowser() {
  const open = useStore(toolBrowserStore, (state) => state.open);
  const asked = useStore(consentStore, (state) => state.question !== null);
  return (
    <Modal
      opened={open}
      onClose={closeToolBrowser}
      title="Tools"
      size={1040}
      // Escape answers the question above this dialog first.
      closeOnEscape={!asked}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: styles.body ?? '' }}
    >
      <Contents />
    </Modal>
  );
}

function Contents() {
  useEffect(watchMcpServers, []);
  return (
    <>
      <ToolList />
      <div className={styles.detail}>
        <Selected />
      </div>
    </>
  );
}

function Selected() {
  const selected = useStore(toolBrowserStore, (state) => state.selected);
  const tool = useWorkspace(({ tools, brokenTools }) =>
    [tools, brokenTools].flatMap((list) => list.find(({ name }) => selected.type === 'tool' && name === selected.name) ?? []).at(0),
  );
  const server = useStore(mcpStore, (state) => state.servers.find(({ name }) => selected.type === 'server' && name === selected.name));
  if (tool?.problem !== undefined)
    return (
      <EmptyState icon={IconTool} title={`${tool.name} cannot be used`}>
        {tool.problem}
      </EmptyState>
    );
  if (tool) return <ToolDetail key={tool.name} tool={tool} />;
  if (server) return <McpServerView key={server.name} server={server} />;
  return (
    <EmptyState icon={IconTool} title="Nothing is chosen">
      Choose a tool on the left to see what it takes, and to try it.
    </EmptyState>
  );
}
