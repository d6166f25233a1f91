import { Modal } from '@mantine/core';
import { useStore } from 'zustand';
import { KeyHint } from '#renderer/controls/key-hint.tsx';
import { closeDialog, dialogsStore } from './dialogs-store.ts';
import { isMac } from './platform.ts';
import { shortcutText } from './shortcut.ts';
import styles from './shortcut-sheet.module.css';
import { studioCommands } from './studio-commands.ts';

/** Keys that belong to the canvas while it has the focus. */
const canvasKeys: readonly (readonly [keys: string, what: string])[] = [
  ['N', 'Add a node here'],
  ['W E F J A S', 'Add a node of that kind'],
  ['L I', 'Add a node that runs a flow, once or for each item'],
  ['Arrows', 'Go along the wires'],
  ['Ctrl+Arrows', 'Move the selection (with Shift farther)'],
  ['Enter', 'Open the nested flow, or the node in the inspector'],
  ['Delete', 'Delete the selection'],
  ['Space', 'Select or unselect; hold and drag to pan'],
  ['Ctrl+C, Ctrl+X, Ctrl+V', 'Copy, cut, paste nodes as text'],
  ['Escape', 'Select nothing'],
];

/** Every key of the studio on one sheet. */
export function ShortcutSheet() {
  const open = useStore(dialogsStore, (state) => state.open === 'shortcuts');
  const sections = ['File', 'Edit', 'View', 'Run'] as const;
  return (
    <Modal opened={open} onClose={closeDialog} title="Keyboard shortcuts" size="xl">
      <div className={styles.columns}>
        <Section heading="On the canvas" rows={canvasKeys} />
        {sections.map((section) => (
          <Section
            key={section}
            heading={section}
            rows={studioCommands
              .filter((command) => command.section === section && command.keys)
              .map((command) => [(command.keys ?? []).map((keys) => shortcutText(keys, isMac)).join(', '), command.title] as const)}
          />
        ))}
      </div>
    </Modal>
  );
}

function Section({ heading, rows }: { heading: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <section className={styles.section}>
      <h3>{heading}</h3>
      <dl>
        {rows.map(([keys, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <KeyHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
