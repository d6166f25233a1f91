import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { FlowPart } from '#renderer/document/editing/extract-flow.ts';
import { makeNestedFlow } from '#renderer/editor/actions/extract-selection.ts';
import { extractStore } from '#renderer/editor/actions/extract-store.ts';
import { nameAsWords } from '#shared/flow/name-as-words.ts';
import { texts } from './texts.ts';

/** Asks for the name of the nested flow to create from the selected nodes. */
export function ExtractDialog() {
  const part = useStore(extractStore, (store) => store.part);
  const close = () => extractStore.setState({ part: null });
  return (
    <Modal opened={part !== null} onClose={close} title={texts.extract.title} size="sm">
      {part && <ExtractForm part={part} onDone={close} />}
    </Modal>
  );
}

function ExtractForm({ part, onDone }: { part: FlowPart; onDone: () => void }) {
  const [name, setName] = useState(texts.extract.suggestedName(nameAsWords(part.input), nameAsWords(part.output)));
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
        label={texts.extract.name}
        description={texts.extract.hint(part.nodes.length, part.input, part.output)}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onDone}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={busy} disabled={name.trim() === ''}>
          {texts.extract.make}
        </Button>
      </Group>
    </form>
  );
}
