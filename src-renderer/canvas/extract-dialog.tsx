import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { FlowPart } from '#renderer/editing/extract-flow.ts';
import { nameAsWords } from '#shared/flow/name-as-words.ts';
import { makeNestedFlow } from './extract-selection.ts';
import { extractStore } from './extract-store.ts';

/** Asks for the name of the nested flow that the selected nodes become. */
export function ExtractDialog() {
  const part = useStore(extractStore, (store) => store.part);
  const close = () => extractStore.setState({ part: null });
  return (
    <Modal opened={part !== null} onClose={close} title="Make a nested flow" size="sm">
      {part && <ExtractForm part={part} onDone={close} />}
    </Modal>
  );
}

function ExtractForm({ part, onDone }: { part: FlowPart; onDone: () => void }) {
  const [name, setName] = useState(`${nameAsWords(part.input)} to ${nameAsWords(part.output).toLowerCase()}`);
  const [busy, setBusy] = useState(false);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const done = await makeNestedFlow(part, name.trim());
    setBusy(false);
    if (done) onDone();
  }

  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      <TextInput
        label="Name"
        description={`${part.nodes.length === 1 ? 'One node goes' : `${part.nodes.length} nodes go`} into a file that is called after it. It takes ${part.input} and gives ${part.output}; a node that runs it stands in their place.`}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={name.trim() === ''}>
          Make it
        </Button>
      </Group>
    </form>
  );
}
