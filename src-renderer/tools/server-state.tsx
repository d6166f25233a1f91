import type { McpServerInfo } from '#shared/contract/mcp.ts';
import styles from './server-state.module.css';

const words: Record<McpServerInfo['state'], string> = {
  blocked: 'not trusted',
  idle: 'not started',
  starting: 'starting',
  connected: 'connected',
  failed: 'failed',
};

/** How a server is, by sign and word. */
export function ServerState({ state }: Pick<McpServerInfo, 'state'>) {
  return (
    <span className={styles.state} data-state={state}>
      {words[state]}
    </span>
  );
}
