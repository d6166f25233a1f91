import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { flowWords } from '#renderer/document/flows/tried-flow.ts';
import { allowedByHeading } from '#renderer/workspace/consent/capability-names.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { FolderPermissions, Permission } from '#shared/contract/consent.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** The permissions in this and other folders, each with a button to revoke it. */
export function PermissionSettings() {
  const [permissions, setPermissions] = useState<readonly FolderPermissions[] | null>(null);
  const open = useWorkspace((state) => state.workspace?.folder);
  const action = useAction();
  useEffect(() => {
    studio.consent.given().then(setPermissions, () => setPermissions([]));
  }, []);
  const revoke = (folder: string, permission: Permission, done: string) =>
    action.run(async () => {
      setPermissions(await studio.consent.withdraw({ folder, permission }));
      return done;
    });
  return (
    <div className={styles.first}>
      <p className={styles.note}>{texts.permissions.about}</p>
      {permissions?.length === 0 && <p className={styles.note}>{texts.permissions.none}</p>}
      {permissions?.map((ofFolder) => (
        <Folder
          key={ofFolder.folder}
          permissions={ofFolder}
          isOpen={ofFolder.folder === open}
          onRevoke={(permission, done) => revoke(ofFolder.folder, permission, done)}
        />
      ))}
      <Outcome action={action} />
    </div>
  );
}

interface FolderProps {
  readonly permissions: FolderPermissions;
  readonly isOpen: boolean;
  readonly onRevoke: (permission: Permission, done: string) => void;
}

function Folder({ permissions: { folder, exists, trusted, flows, servers }, isOpen, onRevoke }: FolderProps) {
  return (
    <section className={styles.place} aria-label={folder}>
      <div className={styles.row}>
        <span className={styles.grow}>
          <code className={styles.address}>{folder}</code>{' '}
          {(isOpen || !exists) && <span className={styles.note}>{isOpen ? texts.permissions.openNow : texts.permissions.missing}</span>}
        </span>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={texts.permissions.revokeAllIn(folder)}
          onClick={() => onRevoke({ type: 'all' }, texts.permissions.allRevoked)}
        >
          {texts.permissions.revokeAll}
        </Button>
      </div>
      <ul className={styles.list} aria-label={texts.permissions.allowedIn(folder)}>
        {trusted && (
          <Row
            name={texts.permissions.trust}
            detail={texts.permissions.trustHint}
            onRevoke={() => onRevoke({ type: 'trust' }, texts.permissions.trustRevoked)}
          />
        )}
        {flows.map(({ flow_path, keys }) => (
          <Row
            key={`flow ${flow_path}`}
            name={flowWords(flow_path)}
            detail={keys.length === 0 ? texts.permissions.insideRun : ''}
            parts={allowedByHeading(keys)}
            onRevoke={() => onRevoke({ type: 'flow', flow_path }, texts.permissions.flowRevoked(flowWords(flow_path)))}
          />
        ))}
        {servers.map(({ name, tools }) => (
          <Row
            key={`server ${name}`}
            name={texts.permissions.server(name)}
            detail={tools.join(', ')}
            onRevoke={() => onRevoke({ type: 'server', name }, texts.permissions.serverRevoked(name))}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly name: string;
  readonly detail: string;
  /** Details, collapsed. */
  readonly parts?: ReturnType<typeof allowedByHeading>;
  readonly onRevoke: () => void;
}

function Row({ name, detail, parts = [], onRevoke }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.grow}>
        <span className={styles.name}>{name}</span> <span className={styles.note}>{detail}</span>
        {parts.length > 0 && (
          <details>
            <summary className={styles.note}>
              {texts.permissions.may(parts.map(({ heading }) => heading[0]?.toLowerCase() + heading.slice(1)))}
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
      <Button size="compact-xs" variant="default" aria-label={texts.permissions.revokeOf(name)} onClick={onRevoke}>
        {texts.permissions.revoke}
      </Button>
    </li>
  );
}
