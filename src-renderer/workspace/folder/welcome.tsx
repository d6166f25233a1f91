import { Button } from '@mantine/core';
import { IconFilePlus, IconFolderOpen, IconSitemap } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { askAboutFlowFile } from '#renderer/document/flows/flow-file-task-store.ts';
import { BrandMark } from '#renderer/ui/controls/brand-mark.tsx';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import { examples } from '#shared/contract/examples.ts';
import { chooseAndOpenFolder } from './choose-folder.ts';
import { texts } from './texts.ts';
import { useWorkspace } from './use-workspace.ts';
import styles from './welcome.module.css';
import { openExample, openFolder } from './workspace.ts';

/** The start page, shown while no flow is open: actions, examples that run as they are, and recent folders. */
export function Welcome() {
  const workspace = useWorkspace((state) => state.workspace);
  const [recent, setRecent] = useState<readonly { folder: string; name: string }[]>([]);
  useEffect(() => {
    studio.workspace.recent().then(setRecent, () => setRecent([]));
  }, []);
  const others = recent.filter((entry) => entry.folder !== workspace?.folder);
  return (
    <div className={styles.welcome}>
      <BrandMark size={40} />
      <h2>{workspace ? workspace.name : texts.welcome.title}</h2>
      <p>{workspace ? (workspace.flows.length > 0 ? texts.welcome.chooseFlow : texts.welcome.noFlows) : texts.welcome.noFolder}</p>
      <div className={styles.actions}>
        {workspace && (
          <Button leftSection={<IconFilePlus size={16} aria-hidden="true" />} onClick={() => askAboutFlowFile({ type: 'create' })}>
            {texts.welcome.newFlow}
          </Button>
        )}
        <Button
          variant={workspace ? 'default' : 'filled'}
          leftSection={<IconFolderOpen size={16} aria-hidden="true" />}
          onClick={() => void chooseAndOpenFolder()}
        >
          {texts.welcome.openFolder} <KeyHint keys="&nbsp;Ctrl+O" />
        </Button>
      </div>
      <h3>{texts.welcome.examples}</h3>
      <ul className={styles.examples}>
        {examples.map(({ name, title, description }) => (
          <li key={name}>
            <button type="button" onClick={() => void openExample(name)}>
              <IconSitemap size={18} stroke={1.5} aria-hidden="true" />
              <strong>{title}</strong>
              <span>{description}</span>
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h3>{texts.welcome.recent}</h3>
          <ul className={styles.recent}>
            {others.slice(0, 5).map((entry) => (
              <li key={entry.folder}>
                <button type="button" title={entry.folder} onClick={() => void openFolder(entry.folder)}>
                  <strong>{entry.name}</strong>
                  <span>{entry.folder}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
