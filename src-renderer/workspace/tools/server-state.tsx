import type { McpServerInfo } from '#shared/contract/mcp.ts';
import styles from './server-state.module.css';
import { texts } from './texts.ts';

/** The state of a server, as an icon and a word. */
export function ServerState({ state }: Pick<McpServerInfo, 'state'>) {
  return (
    <span className={styles.state} data-state={state}>
      {texts.server.states[state]}
    </span>
  );
}
