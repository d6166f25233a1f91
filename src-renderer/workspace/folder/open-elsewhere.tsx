import { Button, Group, List, Modal, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { closeAllFlows, showFlow } from '#renderer/document/flows/editor.ts';
import { noticeDone } from '#renderer/shell/notices.ts';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { askForFolder } from './folder-picker-store.ts';
import { openElsewhereStore } from './open-elsewhere-store.ts';
import { texts } from './texts.ts';
import { show } from './workspace.ts';

interface Plan {
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly exists: boolean }[];
}

/** Copies a flow with the files it needs into another folder, after asking, and opens that folder. */
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
      const folder = await askForFolder(texts.copy.chooseFolder(path));
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
      noticeDone(texts.copy.copied(plan.files.length, plan.folder));
      close();
    } catch (thrown) {
      setError(failureOf(thrown).message);
    } finally {
      setBusy(false);
    }
  }

  const taken = plan?.files.filter((file) => file.exists) ?? [];
  return (
    <Modal opened={path !== null && plan !== null} onClose={close} title={texts.copy.title} size="md">
      <Text size="sm">
        <TextWith text={texts.copy.files} parts={{ folder: <code>{plan?.folder}</code> }} />
      </Text>
      <List size="sm" my="xs">
        {plan?.files.map((file) => (
          <List.Item key={file.path}>
            <code>{file.path}</code>
            {file.exists && ` ${texts.copy.exists}`}
          </List.Item>
        ))}
      </List>
      {taken.length > 0 && (
        <Text size="sm" c="var(--error)">
          {texts.copy.taken(taken.length)}
        </Text>
      )}
      {error && (
        <Text size="sm" c="var(--error)" role="alert">
          {error}
        </Text>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={close}>
          {texts.cancel}
        </Button>
        <Button onClick={() => void copy()} loading={busy} disabled={taken.length > 0 || !plan || plan.files.length === 0} data-autofocus>
          {texts.copy.copy}
        </Button>
      </Group>
    </Modal>
  );
}
