import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { renameState } from '#renderer/document/editing/rename-state.ts';
import { carryOut, currentFlow } from '#renderer/document/flows/editor.ts';
import { renameStore } from '#renderer/editor/actions/rename-store.ts';
import { texts } from './texts.ts';

/** Asks for a state's new name and renames it everywhere. */
export function RenameDialog() {
  const state = useStore(renameStore, (store) => store.state);
  const close = () => renameStore.setState({ state: null });
  return (
    <Modal opened={state !== null} onClose={close} title={texts.rename.title(state ?? '')} size="sm">
      {state !== null && <RenameForm key={state} state={state} onDone={close} />}
    </Modal>
  );
}

function RenameForm({ state, onDone }: { state: string; onDone: () => void }) {
  const [name, setName] = useState(state);
  const readable = currentFlow()?.readable;
  const plan = readable && name !== state ? renameState(readable, state, name.trim()) : null;

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (!plan || (plan.ok && carryOut(plan))) onDone();
  }

  return (
    <form onSubmit={onSubmit}>
      <TextInput
        label={texts.rename.name}
        description={texts.rename.hint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={plan && !plan.ok ? plan.reason : null}
        data-autofocus
        styles={{ input: { fontFamily: 'var(--font-code)' } }}
      />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={onDone}>
          {texts.cancel}
        </Button>
        <Button type="submit" disabled={plan !== null && !plan.ok}>
          {texts.rename.rename}
        </Button>
      </Group>
    </form>
  );
}
