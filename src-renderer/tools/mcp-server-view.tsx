import { Button } from '@mantine/core';
import { useStore } from 'zustand';
import { VisibleText } from '#renderer/controls/visible-text.tsx';
import { FailureText } from '#renderer/debugger/failure-text.tsx';
import { setTrust } from '#renderer/stores/workspace.ts';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import { ApproveTools } from './approve-tools.tsx';
import styles from './mcp-server-view.module.css';
import { mcpStore, restartServer, startServer, stopServer } from './mcp-store.ts';
import { ServerState } from './server-state.tsx';

/** One MCP server: how it is, what it is started with, and which of its tools are approved. */
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
              Stop
            </Button>
          )}
          <Button
            variant={connected ? 'default' : 'filled'}
            loading={state === 'starting'}
            disabled={busy || state === 'blocked'}
            onClick={() => void (connected ? restartServer(name) : startServer(name))}
          >
            {connected ? 'Restart' : 'Start'}
          </Button>
        </span>
      </header>
      <dl className={styles.facts}>
        <dt>{transport === 'stdio' ? 'Program' : 'Address'}</dt>
        <dd>
          <code>
            <VisibleText text={target} />
          </code>
        </dd>
        {server.server && (
          <>
            <dt>Calls itself</dt>
            <dd>
              {server.server.name} {server.server.version}
            </dd>
          </>
        )}
        {last_words !== '' && (
          <>
            <dt>Printed last</dt>
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
          <p className={styles.note}>A server is a program that can do whatever you can, so it is started in trusted folders only.</p>
          <div>
            <Button variant="default" onClick={() => void setTrust(true)}>
              Trust this folder
            </Button>
          </div>
        </>
      )}
      {state === 'idle' && (
        <p className={styles.note}>It is started by the first call of one of its tools. Start it to see what it offers.</p>
      )}
      {last_error !== null && !connected && !failure && <p className={styles.error}>{last_error}</p>}
      {failure && <FailureText failure={failure} />}
      {faults.map((fault) => (
        <p key={fault} className={styles.note}>
          Not usable: {fault}
        </p>
      ))}
      <ApproveTools key={server.tools.map((tool) => `${tool.name} ${tool.standing} ${tool.fingerprint}`).join()} server={server} />
    </article>
  );
}
