import { Button, Stack, Text } from '@mantine/core';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { setTrust } from '#renderer/stores/workspace.ts';
import styles from './settings.module.css';

/** What the open folder may do. */
export function FolderSettings() {
  const workspace = useWorkspace((state) => state.workspace);
  if (!workspace) return <Text size="sm">No folder is open.</Text>;
  const { trusted, folder } = workspace;
  return (
    <Stack gap="sm">
      <code className={styles.address}>{folder}</code>
      <Text size="sm">
        {trusted
          ? 'This folder is trusted: its modules and tools run, its .env is read, its MCP servers and model services may be used, and the commands of pravah.json may be called.'
          : 'This folder is restricted: code runs in the sandbox only. No modules, no commands, no MCP servers, no .env, no model services of its own.'}
      </Text>
      <div>
        <Button variant={trusted ? 'default' : 'filled'} onClick={() => void setTrust(!trusted)}>
          {trusted ? 'Trust it no more' : 'Trust this folder'}
        </Button>
      </div>
    </Stack>
  );
}
