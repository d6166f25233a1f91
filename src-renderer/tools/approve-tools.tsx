import { Badge, Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import { VisibleText } from '#renderer/controls/visible-text.tsx';
import type { McpServerInfo, McpToolInfo } from '#shared/contract/mcp.ts';
import type { JsonSchema } from '#shared/json.ts';
import styles from './approve-tools.module.css';
import { approveTools, mcpStore } from './mcp-store.ts';
import { ParameterTable } from './parameter-table.tsx';

const standings: Record<McpToolInfo['standing'], string> = {
  approved: 'approved',
  changed: 'changed since approved',
  new: 'not approved',
  gone: 'no longer offered',
};

/** The tools of a server with what the server says of them; the chosen ones are approved as they stand here. */
export function ApproveTools({ server }: { server: McpServerInfo }) {
  const { name, state, tools } = server;
  const busy = useStore(mcpStore, (mcp) => mcp.busy !== null);
  const [chosen, setChosen] = useState(() => new Set(tools.filter(({ standing }) => standing === 'approved').map((tool) => tool.name)));
  const offered = tools.filter(({ standing }) => standing !== 'gone');
  const wanted = offered.filter((tool) => chosen.has(tool.name));
  const nothingNew = tools.every((tool) => (tool.standing === 'approved') === chosen.has(tool.name));
  if (tools.length === 0) return state === 'connected' ? <p className={styles.note}>It offers no tools.</p> : null;

  function toggle(tool: string) {
    const next = new Set(chosen);
    if (!next.delete(tool)) next.add(tool);
    setChosen(next);
  }

  return (
    <section className={styles.tools} aria-label={`Tools of ${name}`}>
      <div className={styles.head}>
        <h3 className={styles.heading}>Its tools</h3>
        <Button variant="subtle" disabled={state !== 'connected'} onClick={() => setChosen(new Set(offered.map((tool) => tool.name)))}>
          Choose all
        </Button>
        <Button
          disabled={busy || nothingNew || (state !== 'connected' && wanted.length > 0)}
          onClick={() => void approveTools(name, wanted)}
        >
          {wanted.length === 0 ? 'Approve none' : `Approve ${wanted.length === 1 ? 'this tool' : `these ${wanted.length} tools`}`}
        </Button>
      </div>
      <p className={styles.note}>
        Models are told these words, so read them: flows can call what you approve, and when the server changes one of them you are asked
        again.
      </p>
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
              {standings[tool.standing]}
            </Badge>
            <span className={styles.note}>
              {tool.read_only
                ? 'says that it only reads'
                : tool.destructive
                  ? 'asks before each call; may destroy'
                  : 'asks before each call'}
            </span>
            <p className={styles.words}>{tool.description}</p>
            {tool.changes.map((change) => (
              <p key={change} className={styles.change}>
                {change}
              </p>
            ))}
            <details className={styles.takes}>
              <summary>What it takes</summary>
              <ParameterTable title="Input" schema={tool.input_schema as JsonSchema} />
              {/* The table leaves out what stands deeper, and models are told that, too. */}
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
