import { Button } from '@mantine/core';
import { IconFilePlus, IconFolderOpen } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { BrandMark } from '#renderer/app/brand-mark.tsx';
import { KeyHint } from '#renderer/controls/key-hint.tsx';
import { panelsStore } from '#renderer/stores/panels.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { openFolder } from '#renderer/stores/workspace.ts';
import { chooseAndOpenFolder } from './choose-folder.ts';
import styles from './welcome.module.css';

/** What stands on the canvas while no flow is open: how to get one. */
export function Welcome() {
  const workspace = useWorkspace((state) => state.workspace);
  const [recent, setRecent] = useState<readonly { folder: string; name: string }[]>([]);
  useEffect(() => {
    studio.workspace.recent().then(setRecent, () => setRecent([]));
  }, []);
  return (
    <div className={styles.welcome}>
      <BrandMark size={40} />
      <h2>{workspace ? workspace.name : 'Draw, run and debug agent flows'}</h2>
      <p>
        {workspace
          ? workspace.flows.length > 0
            ? 'Choose a flow on the left, or make a new one.'
            : 'This folder has no flows yet.'
          : 'A flow is a text file in a folder of yours. Open a folder to begin.'}
      </p>
      <div className={styles.actions}>
        {workspace && (
          <Button leftSection={<IconFilePlus size={16} aria-hidden="true" />} onClick={() => panelsStore.getState().showLeft('flows')}>
            Go to the flows
          </Button>
        )}
        <Button
          variant={workspace ? 'default' : 'filled'}
          leftSection={<IconFolderOpen size={16} aria-hidden="true" />}
          onClick={() => void chooseAndOpenFolder()}
        >
          Open folder… <KeyHint keys="&nbsp;Ctrl+O" />
        </Button>
      </div>
      {recent.length > 0 && (
        <>
          <h3>Recent</h3>
          <ul className={styles.recent}>
            {recent.slice(0, 6).map((entry) => (
              <li key={entry.folder}>
                <button type="button" onClick={() => void openFolder(entry.folder)}>
                  <strong>{entry.name}</strong> <span>{entry.folder}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
