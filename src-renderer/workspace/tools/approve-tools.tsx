import { Badge, Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { JsonSchema } from '#shared/json.ts';
import styles from './approve-tools.module.css';
import { approveTools, mcpStore } from './mcp-store.ts';
import { ParameterTable } from './parameter-table.tsx';
import { texts } from './texts.ts';

/** The tools of a server with their descriptions; the selected ones are approved exactly as shown. */
export function ApproveTools({ server }: { server: McpServerInfo }) {
  const { name, state, tools } = server;
  const busy = useStore(mcpStore, (mcp) => mcp.busy !== null);
  const [chosen, setChosen] = useState(() => new Set(tools.filter(({ standing }) => standing === 'approved').map((tool) => tool.name)));
  const offered = tools.filter(({ standing }) => standing !== 'gone');
  const wanted = offered.filter((tool) => chosen.has(tool.name));
  const nothingNew = tools.every((tool) => (tool.standing === 'approved') === chosen.has(tool.name));
  if (tools.length === 0) return state === 'connected' ? <p className={styles.note}>{texts.approve.none}</p> : null;

  function toggle(tool: string) {
    const next = new Set(chosen);
    if (!next.delete(tool)) next.add(tool);
    setChosen(next);
  }

  return (
    <section className={styles.tools} aria-label={texts.approve.label(name)}>
      <div className={styles.head}>
        <h3 className={styles.heading}>{texts.approve.heading}</h3>
        <Button variant="subtle" disabled={state !== 'connected'} onClick={() => setChosen(new Set(offered.map((tool) => tool.name)))}>
          {texts.approve.selectAll}
        </Button>
        <Button
          disabled={busy || nothingNew || (state !== 'connected' && wanted.length > 0)}
          onClick={() => void approveTools(name, wanted)}
        >
          {texts.approve.submit(wanted.length)}
        </Button>
      </div>
      <p className={styles.note}>{texts.approve.about}</p>
      <ul>
        {tools.map((tool) => (
          <li key={tool.name} className={styles.tool} data-standing={tool.standing}>
            <Checkbox
              checked={chosen.has(tool.name) && tool.standing !== 'gone'}
              disabled={tool.standing === 'gone' || state !== 'connected'}
              onChange={() => toggle(tool.name)}
              label={<code>{tool.name}</code>}
            />
            <Badge size="xs" variant={tool.standing === 'approved' ? 'light' : 'outline'}>
              {texts.approve.standings[tool.standing]}
            </Badge>
            <span className={styles.note}>
              {tool.read_only ? texts.approve.readOnly : tool.destructive ? texts.approve.destructive : texts.approve.asks}
            </span>
            <p className={styles.words}>{tool.description}</p>
            {tool.changes.map((change) => (
              <p key={change} className={styles.change}>
                {change}
              </p>
            ))}
            <details className={styles.takes}>
              <summary>{texts.approve.input}</summary>
              <ParameterTable title={texts.input} schema={tool.input_schema as JsonSchema} />
              {/* The table shows only the first level, but models read all of it. */}
              <pre className={styles.schema}>
                <VisibleText text={JSON.stringify(tool.input_schema, null, 2)} />
              </pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
