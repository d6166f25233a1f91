import { Button, Stack, Text } from '@mantine/core';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { setTrust } from '#renderer/workspace/folder/workspace.ts';
import styles from './settings.module.css';
import { texts } from './texts.ts';

/** What the open folder may do. */
export function FolderSettings() {
  const workspace = useWorkspace((state) => state.workspace);
  if (!workspace) return <Text size="sm">{texts.folder.none}</Text>;
  const { trusted, folder } = workspace;
  return (
    <Stack gap="sm">
      <code className={styles.address}>{folder}</code>
      <Text size="sm">{trusted ? texts.folder.trusted : texts.folder.restricted}</Text>
      <div>
        <Button variant={trusted ? 'default' : 'filled'} onClick={() => void setTrust(!trusted)}>
          {trusted ? texts.folder.revoke : texts.folder.trust}
        </Button>
      </div>
    </Stack>
  );
}
