import { Modal, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { closeDialog, dialogsStore } from '#renderer/commands/dialogs-store.ts';
import { VisibleText } from '#renderer/controls/visible-text.tsx';
import { showFlow } from '#renderer/stores/editor.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import { revealNode } from '#renderer/stores/selection.ts';
import styles from './find-dialog.module.css';
import { findInFlow, type Match, mostMatches } from './find-in-flow.ts';
import { useSearchedFlows } from './use-searched-flows.ts';

/** Finds words in names, code, prompts and schemas, of the flow shown or of all; Enter goes to the place. */
export function FindDialog() {
  const open = useStore(dialogsStore, (state) => state.open === 'find');
  return (
    <Modal opened={open} onClose={closeDialog} title="Find in flows" size="lg" yOffset={80} transitionProps={{ duration: 0 }}>
      {open && <FindForm />}
    </Modal>
  );
}

/** Kept while the page is open: who looks again often looks for the same. */
let lastWords = '';

function FindForm() {
  const id = useId();
  const [words, setWords] = useState(lastWords);
  const [all, setAll] = useState(false);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const flows = useSearchedFlows(all);
  const searched = useDeferredValue(words);
  const matches = useMemo(() => flows.flatMap((flow) => findInFlow(flow, searched)), [flows, searched]);
  const shown = matches.slice(0, mostMatches);
  const current = Math.min(active, shown.length - 1);

  // At once: who presses Ctrl+F types on, and what is typed meanwhile would be keys of the canvas.
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + 8, PageUp: current - 8 }[event.key];
    const match = shown[current];
    if (target !== undefined) setActive(Math.max(0, Math.min(shown.length - 1, target)));
    else if (event.key === 'Enter' && match) void goTo(match);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className={styles.bar}>
        <TextInput
          ref={field}
          className={styles.words ?? ''}
          aria-label="Words to find"
          placeholder="A name, a line of code, words of a prompt"
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length > 0 ? `${id}-${current}` : undefined}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={words}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            lastWords = event.currentTarget.value;
            setWords(lastWords);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          data-autofocus
        />
        <Switch label="All flows" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
      </div>
      <p className={styles.count} role="status">
        {countInWords(words, matches.length)}
      </p>
      <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label="Found">
        {shown.map((match, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active row
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a match is its place in the list
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            className={styles.match}
            onClick={() => void goTo(match)}
          >
            <span className={styles.place}>
              <strong>
                <VisibleText text={match.title} />
              </strong>{' '}
              {match.where}
              {all && <span className={styles.file}>{match.flow}</span>}
            </span>
            <code className={styles.line}>
              {match.line.slice(0, match.start)}
              <mark>{match.line.slice(match.start, match.end)}</mark>
              {match.line.slice(match.end)}
            </code>
          </div>
        ))}
      </div>
    </>
  );
}

function countInWords(words: string, count: number): string {
  if (words.trim() === '')
    return 'Names, titles, notes, code, prompts, arguments and schemas are searched. Capitals count where you type one.';
  if (count === 0) return 'Nothing found.';
  if (count > mostMatches) return `${count} lines found; the first ${mostMatches} are listed.`;
  return count === 1 ? '1 line found.' : `${count} lines found.`;
}

async function goTo(match: Match): Promise<void> {
  closeDialog();
  await showFlow(match.flow);
  panelsStore.getState().showRight(match.node === null ? 'flow' : 'node');
  if (match.node !== null) revealNode(match.node, true);
}
