import { TextInput } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { KindChip } from '#renderer/kinds/kind-chip.tsx';
import { type LibraryEntry, libraryEntries, matches } from '#renderer/library/library-entries.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { addFromLibrary } from './add-from-library.ts';
import styles from './quick-add.module.css';
import { closeQuickAdd, type QuickAddRequest, quickAddStore } from './quick-add-store.ts';

/** The menu that adds a node where the pointer is: type to search, arrows to choose, Enter to add, Escape to leave. */
export function QuickAdd() {
  const request = useStore(quickAddStore, (state) => state.request);
  return request && <QuickAddMenu key={`${request.at.x},${request.at.y}`} request={request} />;
}

function QuickAddMenu({ request }: { request: QuickAddRequest }) {
  const tools = useWorkspace((state) => state.tools);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef(document.activeElement);
  const entries = useMemo(
    () => libraryEntries(tools).filter((entry) => matches(entry, query) && fits(entry, request)),
    [tools, query, request],
  );
  const chosen = entries[Math.min(active, entries.length - 1)];

  useEffect(() => {
    input.current?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (!menu.current?.contains(event.target as Node)) closeQuickAdd();
    };
    window.addEventListener('pointerdown', onPointerDown, true);
    const focused = before.current;
    return () => {
      window.removeEventListener('pointerdown', onPointerDown, true);
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    };
  }, []);

  function add(entry: LibraryEntry | undefined) {
    closeQuickAdd();
    if (entry) addFromLibrary(entry.payload, request);
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
    <div ref={menu} className={styles.menu} style={{ left, top }} role="dialog" aria-label="Add a node" onKeyDown={onKeyDown}>
      {(request.consumes ?? request.produces) && (
        <div className={styles.heading}>
          {request.consumes ? 'Consumes ' : 'Produces '}
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
        placeholder="Add a node or a tool"
        aria-label="Search nodes and tools"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen ? `${id}-${chosen.key}` : undefined}
      />
      <div id={id} className={styles.list} role="listbox" aria-label="Nodes and tools">
        {entries.map((entry) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field, which moves the choice and takes it with Enter
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
            {entry.payload.tool === undefined ? <KindChip kind={entry.payload.kind} /> : <IconTool size={16} aria-hidden="true" />}
            {entry.payload.tool === undefined ? entry.label : <code>{entry.label}</code>}
            <small>{entry.summary}</small>
          </div>
        ))}
        {entries.length === 0 && <div className={styles.heading}>Nothing of that name. Escape closes this menu.</div>}
      </div>
    </div>
  );
}

/** Nested flows need a file, which is chosen in the Flows list. */
function fits(entry: LibraryEntry, _request: QuickAddRequest): boolean {
  return entry.payload.kind !== 'flow' && entry.payload.kind !== 'each';
}
