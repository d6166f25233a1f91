import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { agreedByHeading } from '#renderer/consent/capability-words.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { flowWords } from '#renderer/tools/tried-flow.ts';
import type { FolderPermissions, Permission } from '#shared/contract/consent.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

/** What was allowed in this and other folders, each to be taken back. */
export function PermissionSettings() {
  const [given, setGiven] = useState<readonly FolderPermissions[] | null>(null);
  const open = useWorkspace((state) => state.workspace?.folder);
  const action = useAction();
  useEffect(() => {
    studio.consent.given().then(setGiven, () => setGiven([]));
  }, []);
  const withdraw = (folder: string, permission: Permission, done: string) =>
    action.run(async () => {
      setGiven(await studio.consent.withdraw({ folder, permission }));
      return done;
    });
  return (
    <div className={styles.first}>
      <p className={styles.note}>
        What you have allowed, kept in your profile. What you take back is asked again when it is next needed; runs under way pause.
      </p>
      {given?.length === 0 && <p className={styles.note}>Nothing is allowed.</p>}
      {given?.map((permissions) => (
        <Folder
          key={permissions.folder}
          permissions={permissions}
          isOpen={permissions.folder === open}
          onWithdraw={(permission, done) => withdraw(permissions.folder, permission, done)}
        />
      ))}
      <Outcome action={action} />
    </div>
  );
}

interface FolderProps {
  readonly permissions: FolderPermissions;
  readonly isOpen: boolean;
  readonly onWithdraw: (permission: Permission, done: string) => void;
}

function Folder({ permissions: { folder, exists, trusted, flows, servers }, isOpen, onWithdraw }: FolderProps) {
  return (
    <section className={styles.place} aria-label={folder}>
      <div className={styles.row}>
        <span className={styles.grow}>
          <code className={styles.address}>{folder}</code>{' '}
          {(isOpen || !exists) && <span className={styles.note}>{isOpen ? 'open now' : 'no longer there'}</span>}
        </span>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Take back everything in ${folder}`}
          onClick={() => onWithdraw({ type: 'all' }, 'Everything was taken back.')}
        >
          Take back everything
        </Button>
      </div>
      <ul className={styles.list} aria-label={`Allowed in ${folder}`}>
        {trusted && (
          <Row
            name="Trust in the folder"
            words="its own code, MCP servers, commands and .env"
            onWithdraw={() => onWithdraw({ type: 'trust' }, 'The folder is trusted no more.')}
          />
        )}
        {flows.map(({ flow_path, keys }) => (
          <Row
            key={`flow ${flow_path}`}
            name={flowWords(flow_path)}
            words={keys.length === 0 ? 'nothing outside of its runs' : ''}
            parts={agreedByHeading(keys)}
            onWithdraw={() => onWithdraw({ type: 'flow', flow_path }, `${flowWords(flow_path)} is asked about before it runs again.`)}
          />
        ))}
        {servers.map(({ name, tools }) => (
          <Row
            key={`server ${name}`}
            name={`MCP server ${name}`}
            words={tools.join(', ')}
            onWithdraw={() => onWithdraw({ type: 'server', name }, `No tool of ${name} is approved.`)}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly name: string;
  readonly words: string;
  /** More of it, to be opened. */
  readonly parts?: ReturnType<typeof agreedByHeading>;
  readonly onWithdraw: () => void;
}

function Row({ name, words, parts = [], onWithdraw }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.grow}>
        <span className={styles.name}>{name}</span> <span className={styles.note}>{words}</span>
        {parts.length > 0 && (
          <details>
            <summary className={styles.note}>
              may {parts.map(({ heading }) => heading[0]?.toLowerCase() + heading.slice(1)).join(', ')}
            </summary>
            <ul className={styles.list}>
              {parts.map(({ heading, names }) => (
                <li key={heading} className={styles.note}>
                  {heading}: <code className={styles.address}>{names.join(', ')}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <Button size="compact-xs" variant="default" aria-label={`Take back: ${name}`} onClick={onWithdraw}>
        Take back
      </Button>
    </li>
  );
}
