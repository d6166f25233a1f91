import { ActionIcon, Tooltip } from '@mantine/core';
import { IconSearch, IconSettings } from '@tabler/icons-react';
import { openPalette } from '#renderer/app/commands/palette-store.ts';
import { InboxButton } from '#renderer/runs/inbox/inbox-button.tsx';
import { dialogsStore } from '#renderer/shell/dialogs-store.ts';
import { texts } from './texts.ts';

/** The buttons at the right end of the top bar. */
export function TopActions() {
  return (
    <>
      <Tooltip label={texts.commandsHint}>
        <ActionIcon aria-label={texts.searchCommands} onClick={() => openPalette('commands')}>
          <IconSearch size={18} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
      <InboxButton />
      <Tooltip label={texts.settingsHint}>
        <ActionIcon aria-label={texts.settings} onClick={() => dialogsStore.setState({ open: 'settings' })}>
          <IconSettings size={18} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
