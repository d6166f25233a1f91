import { Button } from '@mantine/core';
import { useStore } from 'zustand';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { setTrust } from '#renderer/workspace/folder/workspace.ts';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import { ApproveTools } from './approve-tools.tsx';
import styles from './mcp-server-view.module.css';
import { mcpStore, restartServer, startServer, stopServer } from './mcp-store.ts';
import { ServerState } from './server-state.tsx';
import { texts } from './texts.ts';

/** One MCP server: its state, its program or address, and its tools with their approval. */
export function McpServerView({ server }: { server: McpServerInfo }) {
  const busy = useStore(mcpStore, (state) => state.busy !== null);
  const failure = useStore(mcpStore, (state) => (state.failure?.server === server.name ? state.failure.error : null));
  const { name, transport, target, state, last_error, last_words, faults } = server;
  const connected = state === 'connected';
  return (
    <article className={styles.server} aria-labelledby="server-name">
      <header className={styles.head}>
        <h2 id="server-name" className={styles.name}>
          {name}
        </h2>
        <ServerState state={state} />
        <span className={styles.buttons}>
          {connected && (
            <Button variant="default" disabled={busy} onClick={() => void stopServer(name)}>
              {texts.server.stop}
            </Button>
          )}
          <Button
            variant={connected ? 'default' : 'filled'}
            loading={state === 'starting'}
            disabled={busy || state === 'blocked'}
            onClick={() => void (connected ? restartServer(name) : startServer(name))}
          >
            {connected ? texts.server.restart : texts.server.start}
          </Button>
        </span>
      </header>
      <dl className={styles.facts}>
        <dt>{transport === 'stdio' ? texts.server.program : texts.server.address}</dt>
        <dd>
          <code>
            <VisibleText text={target} />
          </code>
        </dd>
        {server.server && (
          <>
            <dt>{texts.server.name}</dt>
            <dd>
              {server.server.name} {server.server.version}
            </dd>
          </>
        )}
        {last_words !== '' && (
          <>
            <dt>{texts.server.lastOutput}</dt>
            <dd>
              <pre className={styles.words}>
                <VisibleText text={last_words} />
              </pre>
            </dd>
          </>
        )}
      </dl>
      {state === 'blocked' && (
        <>
          <p className={styles.note}>{texts.server.blocked}</p>
          <div>
            <Button variant="default" onClick={() => void setTrust(true)}>
              {texts.server.trust}
            </Button>
          </div>
        </>
      )}
      {state === 'idle' && <p className={styles.note}>{texts.server.idle}</p>}
      {last_error !== null && !connected && !failure && <p className={styles.error}>{last_error}</p>}
      {failure && <FailureText failure={failure} />}
      {faults.map((fault) => (
        <p key={fault} className={styles.note}>
          {texts.server.fault(fault)}
        </p>
      ))}
      <ApproveTools key={server.tools.map((tool) => `${tool.name} ${tool.standing} ${tool.fingerprint}`).join()} server={server} />
    </article>
  );
}
