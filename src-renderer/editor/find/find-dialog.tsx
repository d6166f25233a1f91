import { Modal, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { showFlow } from '#renderer/document/flows/editor.ts';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { revealDrawn } from '#renderer/editor/actions/note-actions.ts';
import { closeDialog, dialogsStore } from '#renderer/shell/dialogs-store.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import styles from './find-dialog.module.css';
import { findInFlow, type Match, maxMatches } from './find-in-flow.ts';
import { texts } from './texts.ts';
import { useSearchedFlows } from './use-searched-flows.ts';

/** Searches names, code, prompts and schemas of the current flow or of all flows. Enter goes to the match. */
export function FindDialog() {
  const open = useStore(dialogsStore, (state) => state.open === 'find');
  return (
    <Modal opened={open} onClose={closeDialog} title={texts.title} size="lg" yOffset={80} transitionProps={{ duration: 0 }}>
      {open && <FindForm />}
    </Modal>
  );
}

/** The last query of this page, since a second search is often for the same text. */
let lastQuery = '';

function FindForm() {
  const id = useId();
  const [query, setQuery] = useState(lastQuery);
  const [all, setAll] = useState(false);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const flows = useSearchedFlows(all);
  const searched = useDeferredValue(query);
  const open = useEditor((state) => state.flows);
  const matches = useMemo(
    () => flows.flatMap((flow) => findInFlow(flow, searched, undefined, open[flow.path]?.extras)),
    [flows, searched, open],
  );
  const shown = matches.slice(0, maxMatches);
  const current = Math.min(active, shown.length - 1);

  // Before the next paint, so that keys typed right after Ctrl+F do not reach the canvas.
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
          aria-label={texts.searchText}
          placeholder={texts.placeholder}
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length > 0 ? `${id}-${current}` : undefined}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={query}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            lastQuery = event.currentTarget.value;
            setQuery(lastQuery);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          data-autofocus
        />
        <Switch label={texts.allFlows} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
      </div>
      <p className={styles.count} role="status">
        {summaryOf(query, matches.length)}
      </p>
      <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label={texts.results}>
        {shown.map((match, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and points to the active row
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a match has no identity other than its position
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

function summaryOf(query: string, count: number): string {
  if (query.trim() === '') return texts.hint;
  return count > maxMatches ? texts.foundMore(count, maxMatches) : texts.found(count);
}

async function goTo(match: Match): Promise<void> {
  closeDialog();
  await showFlow(match.flow);
  if (match.drawn !== undefined) return revealDrawn(match.drawn);
  panelsStore.getState().showRight(match.node === null ? 'flow' : 'node');
  if (match.node !== null) revealNode(match.node, true);
}
