import { Modal, Tabs } from '@mantine/core';
import { useStore } from 'zustand';
import { closeDialog, dialogsStore } from '#renderer/commands/dialogs-store.ts';
import { AppearanceSettings } from './appearance-settings.tsx';
import { FolderSettings } from './folder-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { PermissionSettings } from './permission-settings.tsx';
import { SecretSettings } from './secret-settings.tsx';
import styles from './settings.module.css';

/** What is settled once: looks, models and keys, secrets, what the open folder may do, what was allowed. */
export function SettingsDialog() {
  const open = useStore(dialogsStore, (state) => state.open === 'settings');
  return (
    <Modal opened={open} onClose={closeDialog} title="Settings" size={860} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Tabs
        className={styles.tabs ?? ''}
        classNames={{ list: styles.subjects ?? '', tab: styles.subject ?? '' }}
        orientation="vertical"
        defaultValue="appearance"
        keepMounted={false}
      >
        <Tabs.List aria-label="Settings">
          <Tabs.Tab value="appearance">Appearance</Tabs.Tab>
          <Tabs.Tab value="models">Models and keys</Tabs.Tab>
          <Tabs.Tab value="secrets">Secrets</Tabs.Tab>
          <Tabs.Tab value="folder">Folder</Tabs.Tab>
          <Tabs.Tab value="permissions">Permissions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="appearance" className={styles.panel ?? ''}>
          <AppearanceSettings />
        </Tabs.Panel>
        <Tabs.Panel value="models" className={styles.panel ?? ''}>
          <ModelSettings />
        </Tabs.Panel>
        <Tabs.Panel value="secrets" className={styles.panel ?? ''}>
          <SecretSettings />
        </Tabs.Panel>
        <Tabs.Panel value="folder" className={styles.panel ?? ''}>
          <FolderSettings />
        </Tabs.Panel>
        <Tabs.Panel value="permissions" className={styles.panel ?? ''}>
          <PermissionSettings />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}
