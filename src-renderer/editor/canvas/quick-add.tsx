import { TextInput } from '@mantine/core';
import { IconFilePlus, IconFileText, IconPlugConnected, IconTool } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { closeQuickAdd, type QuickAddRequest, quickAddStore } from '#renderer/editor/actions/quick-add-store.ts';
import { EntryLabel } from '#renderer/editor/entries/entry-label.tsx';
import { type LibraryEntry, ranked } from '#renderer/editor/entries/library-entries.ts';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import styles from './quick-add.module.css';
import { texts } from './texts.ts';
import { newFlowKey, useQuickAddChoices } from './use-quick-add-choices.ts';

/** The menu that adds a node at the pointer: type to search, arrow keys to choose, Enter to add, Escape to close. */
export function QuickAdd() {
  const request = useStore(quickAddStore, (state) => state.request);
  // A second menu may follow; the focus returns to where the first was opened.
  const before = useRef<Element | null>(null);
  before.current = request ? (before.current ?? document.activeElement) : null;
  return (
    request && (
      <QuickAddMenu key={`${request.at.x},${request.at.y} ${JSON.stringify(request.choosing)}`} request={request} before={before.current} />
    )
  );
}

function QuickAddMenu({ request, before }: { request: QuickAddRequest; before: Element | null }) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const choices = useQuickAddChoices(request);
  // What cannot fit the wire is found only by its name, with the reason.
  const found = useMemo(
    () => ranked(query === '' ? choices.entries.filter(({ fit }) => fit?.fit !== 'none') : choices.entries, query),
    [choices, query],
  );
  const entries = choices.last ? [...found, choices.last(query.trim())] : found;
  const chosen = entries[Math.min(active, entries.length - 1)];

  useEffect(() => {
    input.current?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (!menu.current?.contains(event.target as Node)) closeQuickAdd();
    };
    window.addEventListener('pointerdown', onPointerDown, true);
    return () => {
      window.removeEventListener('pointerdown', onPointerDown, true);
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [before]);

  function add(entry: LibraryEntry | undefined) {
    closeQuickAdd();
    if (entry) choices.take(entry, query.trim());
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((Math.min(active, entries.length - 1) + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') add(chosen);
    else if (event.key === 'Escape') closeQuickAdd();
    else if (event.key !== 'Tab') return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  }

  const left = Math.min(request.screen.x, window.innerWidth - 292);
  const top = Math.min(request.screen.y, window.innerHeight - 380);
  return (
    <div ref={menu} className={styles.menu} style={{ left, top }} role="dialog" aria-label={texts.quickAdd.title} onKeyDown={onKeyDown}>
      {choices.heading && <div className={styles.heading}>{choices.heading}</div>}
      {!choices.heading && (request.consumes ?? request.produces) && (
        <div className={styles.heading}>
          {request.wire ? texts.quickAdd.into : request.consumes ? texts.quickAdd.consumes : texts.quickAdd.produces}
          <code>{request.consumes ?? request.produces}</code>
        </div>
      )}
      <TextInput
        ref={input}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        placeholder={choices.placeholder}
        aria-label={choices.label}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen ? `${id}-${chosen.key}` : undefined}
      />
      <div id={id} className={styles.list} role="listbox" aria-label={choices.listLabel}>
        {entries.map((entry) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, which moves the choice and accepts it on Enter
          // biome-ignore lint/a11y/useFocusableInteractive: as above; the field points here by aria-activedescendant
          <div
            key={entry.key}
            id={`${id}-${entry.key}`}
            role="option"
            aria-selected={entry === chosen}
            className={styles.option}
            onClick={() => add(entry)}
            ref={entry === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          >
            <EntryIcon entry={entry} />
            {entry.payload.tool === undefined ? (
              <span className={styles.label}>
                <EntryLabel entry={entry} />
              </span>
            ) : (
              <code>{entry.label}</code>
            )}
            <small data-fit={entry.fit?.fit} title={entry.summary}>
              {entry.summary}
            </small>
          </div>
        ))}
        {entries.length === 0 && <div className={styles.heading}>{texts.quickAdd.noResults}</div>}
      </div>
    </div>
  );
}

function EntryIcon({ entry: { key, payload, port } }: { entry: LibraryEntry }) {
  if (port) return <IconPlugConnected size={16} aria-hidden="true" />;
  if (key === newFlowKey) return <IconFilePlus size={16} aria-hidden="true" />;
  if (payload.undecided) return <IconFileText size={16} aria-hidden="true" />;
  return payload.tool === undefined ? <KindChip kind={payload.kind} /> : <IconTool size={16} aria-hidden="true" />;
}
