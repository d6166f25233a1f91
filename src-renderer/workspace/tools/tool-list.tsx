import { Badge, TextInput } from '@mantine/core';
import { IconPlugConnected, IconSearch, IconTool } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { mcpStore } from './mcp-store.ts';
import { ServerState } from './server-state.tsx';
import { texts } from './texts.ts';
import { type BrowserSelection, toolBrowserStore } from './tool-browser-store.ts';
import { type ToolGroup, toolGroups, waitingForApproval } from './tool-groups.ts';
import styles from './tool-list.module.css';

const select = (selected: BrowserSelection) => toolBrowserStore.setState({ selected });

/** The tools by subject, with a search field; the arrow keys move through them. */
export function ToolList() {
  const [query, setQuery] = useState('');
  const tools = useWorkspace((state) => state.tools);
  const servers = useStore(mcpStore, (state) => state.servers);
  const broken = useWorkspace((state) => state.brokenTools);
  const groups = useMemo(() => toolGroups([...tools, ...broken], servers, query), [tools, broken, servers, query]);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = rows[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <nav className={styles.panel} aria-label={texts.title} onKeyDown={onKeyDown}>
      <TextInput
        className={styles.search ?? ''}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        placeholder={texts.search}
        aria-label={texts.searchLabel}
        leftSection={<IconSearch size={15} aria-hidden="true" />}
        data-autofocus
      />
      <div className={styles.scroll}>
        {groups.map((group) => (
          <Group key={group.server ? `mcp ${group.heading}` : group.heading} group={group} />
        ))}
        {groups.length === 0 && <p className={styles.heading}>{texts.noMatches(query)}</p>}
      </div>
    </nav>
  );
}

function Group({ group: { heading, server, tools } }: { group: ToolGroup }) {
  return (
    <section aria-label={heading}>
      {server ? <ServerRow server={server} /> : <h3 className={styles.heading}>{heading}</h3>}
      <ul>
        {tools.map((tool) => (
          <li key={tool.name}>
            <ToolRow tool={tool} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ToolRow({ tool }: { tool: ToolInfo }) {
  const current = useStore(toolBrowserStore, ({ selected }) => selected.type === 'tool' && selected.name === tool.name);
  return (
    <button type="button" className={styles.row} aria-current={current} onClick={() => select({ type: 'tool', name: tool.name })}>
      <IconTool size={15} stroke={1.5} aria-hidden="true" />
      <span className={styles.name}>{tool.server === null ? tool.name : tool.name.slice(tool.name.indexOf('/') + 1)}</span>
      {tool.problem !== undefined ? (
        <span className={styles.aside}>{texts.unusableMark}</span>
      ) : (
        tool.asks && <span className={styles.aside}>{texts.needsApproval}</span>
      )}
    </button>
  );
}

function ServerRow({ server }: { server: McpServerInfo }) {
  const current = useStore(toolBrowserStore, ({ selected }) => selected.type === 'server' && selected.name === server.name);
  const waiting = waitingForApproval(server);
  return (
    <button type="button" className={styles.server} aria-current={current} onClick={() => select({ type: 'server', name: server.name })}>
      <IconPlugConnected size={15} stroke={1.5} aria-hidden="true" />
      <span className={styles.name}>{server.name}</span>
      {waiting > 0 && (
        <Badge size="xs" variant="outline">
          {texts.toApprove(waiting)}
        </Badge>
      )}
      <ServerState state={server.state} />
    </button>
  );
}
