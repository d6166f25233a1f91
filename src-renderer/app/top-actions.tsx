import { ActionIcon, Tooltip } from '@mantine/core';
import { IconSearch, IconSettings } from '@tabler/icons-react';
import { dialogsStore } from '#renderer/commands/dialogs-store.ts';
import { openPalette } from '#renderer/commands/palette-store.ts';
import { InboxButton } from '#renderer/inbox/inbox-button.tsx';

/** The buttons at the right end of the top bar. */
export function TopActions() {
  return (
    <>
      <Tooltip label="All commands (Ctrl+K)">
        <ActionIcon aria-label="Search commands" onClick={() => openPalette('commands')}>
          <IconSearch size={18} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
      <InboxButton />
      <Tooltip label="Settings (Ctrl+,)">
        <ActionIcon aria-label="Settings" onClick={() => dialogsStore.setState({ open: 'settings' })}>
          <IconSettings size={18} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
