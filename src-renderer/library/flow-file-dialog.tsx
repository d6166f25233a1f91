import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { askCanvas } from '#renderer/commands/canvas-requests.ts';
import { createFlowFile, removeFlowFile, renameFlowFile } from '#renderer/stores/flow-files.ts';
import { type FlowFileTask, flowFileTaskStore } from './flow-file-task-store.ts';

const titles = { create: 'New flow', rename: 'Rename flow', remove: 'Delete flow' };

/** Asks what is needed to make, rename or delete a flow file, and does it. */
export function FlowFileDialog() {
  const task = useStore(flowFileTaskStore, (state) => state.task);
  const onClose = () => flowFileTaskStore.setState({ task: null });
  const [made, setMade] = useState(false);

  // Who has made a flow goes on to draw it, by keyboard too; the dialog gives the focus back to its button before this.
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
    const done = await carryOutTask(task, name.trim());
    setBusy(false);
    if (done) onDone();
  }

  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      {task.type === 'remove' ? (
        <Text size="sm">{task.flow.path} and its layout are moved to the trash. Flows that nest it will report that it is missing.</Text>
      ) : (
        <TextInput
          label={task.type === 'create' ? 'Name' : 'Path in this folder'}
          description={task.type === 'create' ? 'The file is called after it, and ends in .flow.yaml.' : undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={busy}
          disabled={task.type !== 'remove' && name.trim() === ''}
          color={task.type === 'remove' ? 'red' : 'accent'}
          data-autofocus={task.type === 'remove' || undefined}
        >
          {task.type === 'create' ? 'Create' : task.type === 'rename' ? 'Rename' : 'Delete'}
        </Button>
      </Group>
    </form>
  );
}

function carryOutTask(task: FlowFileTask, name: string): Promise<boolean> {
  if (task.type === 'create') return createFlowFile(name, task);
  return task.type === 'rename' ? renameFlowFile(task.flow.path, name) : removeFlowFile(task.flow.path);
}
