import { ActionIcon, CloseButton, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconPlayerStop } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useRef } from 'react';
import { useStore } from 'zustand';
import styles from './find-bar.module.css';
import { cancelFind, closeFind, findInRun, findStore } from './find-store.ts';
import { texts } from './texts.ts';

/** The search in the shown run, above its timeline; absent while it is closed. */
export function FindBar() {
  const { open, expression, at, result, failed } = useStore(findStore, (state) => state);
  const back = useRef(false);
  if (!open) return null;

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    void findInRun(back.current ? 'back' : 'forth');
    back.current = false;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') closeFind();
    back.current = event.key === 'Enter' && event.shiftKey;
  }

  return (
    <form className={styles.bar} aria-label={texts.title} onSubmit={onSubmit}>
      <TextInput
        size="xs"
        className={styles.field ?? ''}
        autoFocus
        data-autofocus
        aria-label={texts.expression}
        placeholder={texts.placeholder}
        value={expression}
        onChange={(event) => findStore.setState({ expression: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <ActionIcon size={24} aria-label={texts.previous} title={texts.previous} onClick={() => void findInRun('back')}>
        <IconChevronUp size={14} />
      </ActionIcon>
      <ActionIcon size={24} type="submit" aria-label={texts.next} title={texts.next}>
        <IconChevronDown size={14} />
      </ActionIcon>
      {at !== null && (
        <ActionIcon size={24} aria-label={texts.cancel} title={texts.cancel} onClick={cancelFind}>
          <IconPlayerStop size={14} />
        </ActionIcon>
      )}
      <output className={styles.result} data-failed={failed} title={result}>
        {at === null ? result : texts.searching(at)}
      </output>
      <CloseButton size="sm" aria-label={`${texts.title}: close`} onClick={closeFind} />
    </form>
  );
}
