import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { type FlowFileTask, flowFileTaskStore } from '#renderer/document/flows/flow-file-task-store.ts';
import { createFlowFile, removeFlowFile, renameFlowFile } from '#renderer/document/saving/flow-files.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { texts } from './texts.ts';

const titles = texts.file.titles;

/** The dialog that creates, renames or deletes a flow file. */
export function FlowFileDialog() {
  const task = useStore(flowFileTaskStore, (state) => state.task);
  const onClose = () => flowFileTaskStore.setState({ task: null });
  const [made, setMade] = useState(false);

  // After creating a flow, focus the canvas so that the user can draw. The dialog has restored the focus by then.
  function afterClosing() {
    if (made) askCanvas('focus');
    setMade(false);
  }

  return (
    <Modal opened={task !== null} onClose={onClose} onExitTransitionEnd={afterClosing} title={task ? titles[task.type] : ''} size="sm">
      {task && (
        <FlowFileForm
          task={task}
          onCancel={onClose}
          onDone={() => {
            setMade(task.type === 'create' && !task.use);
            onClose();
          }}
        />
      )}
    </Modal>
  );
}

function FlowFileForm({ task, onCancel, onDone }: { task: FlowFileTask; onCancel: () => void; onDone: () => void }) {
  const [name, setName] = useState(task.type === 'rename' ? task.flow.path : task.type === 'create' ? (task.name ?? '') : '');
  const [busy, setBusy] = useState(false);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const done = await applyTask(task, name.trim());
    setBusy(false);
    if (done) onDone();
  }

  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      {task.type === 'remove' ? (
        <Text size="sm">{texts.file.removeHint(task.flow.path)}</Text>
      ) : (
        <TextInput
          label={task.type === 'create' ? texts.file.name : texts.file.path}
          description={task.type === 'create' ? texts.file.nameHint : undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {texts.file.cancel}
        </Button>
        <Button
          type="submit"
          loading={busy}
          disabled={task.type !== 'remove' && name.trim() === ''}
          color={task.type === 'remove' ? 'red' : 'accent'}
          data-autofocus={task.type === 'remove' || undefined}
        >
          {texts.file.actions[task.type]}
        </Button>
      </Group>
    </form>
  );
}

function applyTask(task: FlowFileTask, name: string): Promise<boolean> {
  if (task.type === 'create') return createFlowFile(name, task);
  return task.type === 'rename' ? renameFlowFile(task.flow.path, name) : removeFlowFile(task.flow.path);
}
