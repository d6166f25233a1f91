import { Button, Group, List, Modal, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { noticeDone } from '#renderer/notices/notices.ts';
import { closeAllFlows, showFlow } from '#renderer/stores/editor.ts';
import { show } from '#renderer/stores/workspace.ts';
import { askForFolder } from './folder-picker-store.ts';
import { openElsewhereStore } from './open-elsewhere-store.ts';

interface Plan {
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly exists: boolean }[];
}

/** Puts a flow with the files that it needs into another folder, after asking, and opens it there. */
export function OpenElsewhere() {
  const path = useStore(openElsewhereStore, (state) => state.path);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const close = useCallback(() => {
    openElsewhereStore.setState({ path: null });
    setPlan(null);
    setError(null);
  }, []);

  useEffect(() => {
    if (path === null) return;
    let current = true;
    const ask = async () => {
      const folder = await askForFolder(`Folder to use ${path} in`);
      if (!current) return;
      if (folder === null) return close();
      try {
        setPlan({ folder, ...(await studio.workspace.copyFlowPlan({ path, folder })) });
      } catch (thrown) {
        setPlan({ folder, files: [] });
        setError(failureOf(thrown).message);
      }
    };
    void ask();
    return () => {
      current = false;
    };
  }, [path, close]);

  async function copy() {
    if (path === null || !plan || busy) return;
    setBusy(true);
    try {
      const workspace = await studio.workspace.copyFlowInto({ path, folder: plan.folder });
      closeAllFlows();
      show(workspace);
      const copied = workspace.flows.find((flow) => flow.path === path) ?? workspace.flows[0];
      if (copied) await showFlow(copied.path);
      noticeDone(`${plan.files.length} files written to ${plan.folder}`);
      close();
    } catch (thrown) {
      setError(failureOf(thrown).message);
    } finally {
      setBusy(false);
    }
  }

  const taken = plan?.files.filter((file) => file.exists) ?? [];
  return (
    <Modal opened={path !== null && plan !== null} onClose={close} title="Open with flow" size="md">
      <Text size="sm">
        These files are written to <code>{plan?.folder}</code>, and that folder is opened:
      </Text>
      <List size="sm" my="xs">
        {plan?.files.map((file) => (
          <List.Item key={file.path}>
            <code>{file.path}</code>
            {file.exists && ' is there already'}
          </List.Item>
        ))}
      </List>
      {taken.length > 0 && (
        <Text size="sm" c="var(--error)">
          Nothing is overwritten. Move {taken.length === 1 ? 'that file' : 'those files'} away, or choose another folder.
        </Text>
      )}
      {error && (
        <Text size="sm" c="var(--error)" role="alert">
          {error}
        </Text>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={() => void copy()} loading={busy} disabled={taken.length > 0 || !plan || plan.files.length === 0} data-autofocus>
          Write and open
        </Button>
      </Group>
    </Modal>
  );
}
