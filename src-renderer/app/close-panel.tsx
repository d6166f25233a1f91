import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { liesOver, type PanelName } from '#renderer/shell/panels.ts';
import { usePanels } from '#renderer/shell/use-panels.ts';
import { texts } from './texts.ts';

/** Closes a panel that lies over the canvas; nothing for one beside it. */
export function ClosePanel({ panel }: { panel: PanelName }) {
  const over = usePanels((state) => liesOver(state, panel));
  const toggle = usePanels((state) => state.toggle);
  if (!over) return null;
  return (
    <ActionIcon size="sm" aria-label={texts.closePanel} title={texts.closePanelHint} onClick={() => toggle(panel)}>
      <IconX size={14} aria-hidden="true" />
    </ActionIcon>
  );
}
