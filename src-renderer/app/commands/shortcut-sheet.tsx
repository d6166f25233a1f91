import { Modal } from '@mantine/core';
import { useStore } from 'zustand';
import { closeDialog, dialogsStore } from '#renderer/shell/dialogs-store.ts';
import { isMac } from '#renderer/shell/platform.ts';
import { shortcutText } from '#renderer/shell/shortcut.ts';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import styles from './shortcut-sheet.module.css';
import { studioCommands } from './studio-commands.ts';
import { texts } from './texts.ts';

/** Keys of the canvas while it has the focus. */
const canvasKeys: readonly (readonly [keys: string, action: string])[] = [
  ['N', texts.shortcuts.addNode],
  ['W E F J A S', texts.shortcuts.addKind],
  ['L I', texts.shortcuts.addFlow],
  [texts.shortcuts.arrows, texts.shortcuts.followWires],
  [texts.shortcuts.ctrlArrows, texts.shortcuts.move],
  ['Enter', texts.shortcuts.open],
  ['Delete', texts.shortcuts.remove],
  ['Space', texts.shortcuts.select],
  ['Ctrl+C, Ctrl+X, Ctrl+V', texts.shortcuts.clipboard],
  ['Escape', texts.shortcuts.deselect],
];

/** The list of all keyboard shortcuts. */
export function ShortcutSheet() {
  const open = useStore(dialogsStore, (state) => state.open === 'shortcuts');
  const sections = ['File', 'Edit', 'View', 'Run', 'Debug'] as const;
  return (
    <Modal opened={open} onClose={closeDialog} title={texts.shortcuts.title} size="xl">
      <div className={styles.columns}>
        <Section heading={texts.shortcuts.canvas} rows={canvasKeys} />
        {sections.map((section) => (
          <Section
            key={section}
            heading={texts.sections[section]}
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
        {rows.map(([keys, action]) => (
          <div key={action}>
            <dt>{action}</dt>
            <dd>
              <KeyHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
