import { Modal } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { consentStore } from '#renderer/workspace/consent/consent-store.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { McpServerView } from './mcp-server-view.tsx';
import { mcpStore, watchMcpServers } from './mcp-store.ts';
import { texts } from './texts.ts';
import styles from './tool-browser.module.css';
import { closeToolBrowser, toolBrowserStore } from './tool-browser-store.ts';
import { type ToolActions, ToolDetail } from './tool-detail.tsx';
import { ToolList } from './tool-list.tsx';

/** The tools that flows of this folder can call, with their input, a form to try them, and the MCP servers of the folder. */
export function ToolBrowser(actions: ToolActions) {
  const open = useStore(toolBrowserStore, (state) => state.open);
  const asked = useStore(consentStore, (state) => state.question !== null);
  return (
    <Modal
      opened={open}
      onClose={closeToolBrowser}
      title={texts.title}
      size={1040}
      // Escape answers the question above this dialog first.
      closeOnEscape={!asked}
      closeButtonProps={{ 'aria-label': texts.close }}
      classNames={{ body: styles.body ?? '' }}
    >
      <Contents {...actions} />
    </Modal>
  );
}

function Contents(actions: ToolActions) {
  useEffect(watchMcpServers, []);
  return (
    <>
      <ToolList />
      <div className={styles.detail}>
        <Selected {...actions} />
      </div>
    </>
  );
}

function Selected(actions: ToolActions) {
  const selected = useStore(toolBrowserStore, (state) => state.selected);
  const tool = useWorkspace(({ tools, brokenTools }) =>
    [tools, brokenTools].flatMap((list) => list.find(({ name }) => selected.type === 'tool' && name === selected.name) ?? []).at(0),
  );
  const server = useStore(mcpStore, (state) => state.servers.find(({ name }) => selected.type === 'server' && name === selected.name));
  if (tool?.problem !== undefined)
    return (
      <EmptyState icon={IconTool} title={texts.unusable(tool.name)}>
        {tool.problem}
      </EmptyState>
    );
  if (tool) return <ToolDetail key={tool.name} tool={tool} {...actions} />;
  if (server) return <McpServerView key={server.name} server={server} />;
  return (
    <EmptyState icon={IconTool} title={texts.noneTitle}>
      {texts.none}
    </EmptyState>
  );
}
