import { TextInput } from '@mantine/core';
import { IconFileCode, IconFileText, IconSearch, IconTool } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { showFlow } from '#renderer/document/flows/editor.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { startDrag } from '#renderer/editor/entries/drag-payload.ts';
import { EntryLabel } from '#renderer/editor/entries/entry-label.tsx';
import { flowPayload, type LibraryEntry, libraryEntries, ranked } from '#renderer/editor/entries/library-entries.ts';
import rows from '#renderer/ui/controls/list-row.module.css';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { openToolBrowser } from '#renderer/workspace/tools/tool-browser-store.ts';
import { canBeNested, isCodeFlow, withoutFlowEnding } from '#shared/flow/flow-file.ts';
import styles from './library-panel.module.css';
import { placeInSight } from './place-in-sight.ts';
import { texts } from './texts.ts';

/** Everything that can be added to the canvas by dragging or with Enter: kinds of node, flows of the folder, tools. */
export function LibraryPanel() {
  const [query, setQuery] = useState('');
  const tools = useWorkspace((state) => state.tools);
  const workspace = useWorkspace((state) => state.workspace);
  const current = useEditor((state) => state.current);
  const entries = useMemo(() => ranked(libraryEntries(tools), query), [tools, query]);
  const kinds = entries.filter((entry) => entry.payload.tool === undefined);
  const offered = entries.filter((entry) => entry.payload.tool !== undefined);
  const nestable = (workspace?.flows ?? []).filter(({ path }) => canBeNested(path, workspace?.trusted ?? false));
  const flows = ranked(
    nestable.map((flow) => ({ path: flow.path, label: flow.name, summary: flow.path })),
    query,
  );
  const nothing = kinds.length + offered.length + flows.length === 0;
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <TextInput
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          placeholder={texts.library.placeholder}
          aria-label={texts.library.search}
          leftSection={<IconSearch size={15} aria-hidden="true" />}
        />
      </div>
      <div className={styles.scroll}>
        {kinds.length > 0 && <EntryList heading={texts.library.nodes} entries={kinds} />}
        {flows.length > 0 && (
          <>
            <h2 className={styles.heading}>{texts.library.flowsIn(workspace?.name ?? '')}</h2>
            <ul>
              {flows.map((flow) => (
                <li key={flow.path}>
                  <button
                    type="button"
                    className={rows.row}
                    aria-current={flow.path === current}
                    title={texts.library.flowHint(flow.path)}
                    draggable
                    onDragStart={(event) => startDrag(event.dataTransfer, flowPayload(current, flow.path))}
                    onClick={() => void showFlow(flow.path)}
                  >
                    <FlowIcon path={flow.path} />
                    <span className={rows.name}>{withoutFlowEnding(flow.path)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        {offered.length > 0 && (
          <EntryList
            heading={texts.library.tools}
            entries={offered}
            aside={
              <button type="button" className={styles.browse} onClick={() => openToolBrowser()}>
                {texts.library.browse}
              </button>
            }
          />
        )}
        {nothing && <p className={styles.heading}>{texts.library.noResults(query)}</p>}
      </div>
    </div>
  );
}

interface EntryListProps {
  readonly heading: string;
  readonly entries: readonly LibraryEntry[];
  /** Shown beside the heading. */
  readonly aside?: ReactNode;
}

function EntryList({ heading, entries, aside }: EntryListProps) {
  return (
    <>
      <div className={styles.top}>
        <h2 className={styles.heading}>{heading}</h2>
        {aside}
      </div>
      <ul>
        {entries.map((entry) => (
          <li key={entry.key}>
            <button
              type="button"
              className={rows.row}
              title={texts.library.entryHint(entry.summary)}
              draggable
              onDragStart={(event) => startDrag(event.dataTransfer, entry.payload)}
              onClick={() => placeInSight(entry.payload)}
            >
              {entry.payload.tool === undefined ? (
                <KindChip kind={entry.payload.kind} />
              ) : (
                <IconTool size={16} stroke={1.5} aria-hidden="true" />
              )}
              <span className={entry.payload.tool === undefined ? rows.name : `${rows.name} ${styles.tool}`}>
                <EntryLabel entry={entry} />
              </span>
              {entry.letter && <span className={styles.aside}>{entry.letter}</span>}
              {entry.asks && <span className={`${styles.aside} ${styles.approval}`}>{texts.library.needsApproval}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function FlowIcon({ path }: { path: string }) {
  const Icon = isCodeFlow(path) ? IconFileCode : IconFileText;
  return <Icon size={16} stroke={1.5} aria-hidden="true" />;
}
