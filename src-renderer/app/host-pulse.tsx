import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { connectionStore } from '#renderer/api/connection.ts';
import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import styles from './status-bar.module.css';
import { texts } from './texts.ts';

const messages = {
  connecting: texts.connecting,
  lost: texts.lost,
  refused: texts.refused,
};

/** Follows the host's heartbeat and reports a lost connection; empty while connected. */
export function HostPulse() {
  const host = useWorkspace((state) => state.info?.host);
  const status = useStore(connectionStore, (state) => state.status);
  const [beats, setBeats] = useState(0);
  useEffect(
    () =>
      follow({
        subscribe: (signal) => studio.app.heartbeat({ interval_ms: 1000 }, { signal }),
        onItem: () => setBeats((count) => count + 1),
      }),
    [],
  );
  return (
    <span className={`${styles.item} ${styles.bad}`} role="alert" data-host={host} data-beats={beats}>
      {status !== 'open' && (
        <>
          <IconPlugConnectedX size={14} aria-hidden="true" />
          {messages[status]}
        </>
      )}
    </span>
  );
}
