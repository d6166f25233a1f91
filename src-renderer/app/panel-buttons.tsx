import { IconLayoutBottombar, IconLayoutSidebar, IconLayoutSidebarRight } from '@tabler/icons-react';
import { isPanelOpen, panelNames } from '#renderer/shell/panels.ts';
import { usePanels } from '#renderer/shell/use-panels.ts';
import styles from './panel-buttons.module.css';
import { texts } from './texts.ts';

const icons = { left: IconLayoutSidebar, bottom: IconLayoutBottombar, right: IconLayoutSidebarRight } as const;

/** One toggle for each panel, so that a folded one can be opened again by the mouse. */
export function PanelButtons() {
  const panels = usePanels((state) => state);
  return (
    <div className={styles.buttons} role="toolbar" aria-label={texts.panels}>
      {panelNames.map((name) => {
        const Icon = icons[name];
        const title = texts.showPanel[name];
        return (
          <button
            key={name}
            type="button"
            className={styles.button}
            aria-pressed={isPanelOpen(panels, name)}
            aria-label={title}
            title={title}
            onClick={() => panels.toggle(name)}
          >
            <Icon size={15} aria-hidden="true" />
          </button>
        );
      })}
    </div>
  );
}
