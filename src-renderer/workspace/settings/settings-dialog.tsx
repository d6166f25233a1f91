import { Modal, Tabs } from '@mantine/core';
import { useStore } from 'zustand';
import { closeDialog, dialogsStore } from '#renderer/shell/dialogs-store.ts';
import { AppearanceSettings } from './appearance-settings.tsx';
import { FolderSettings } from './folder-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { PermissionSettings } from './permission-settings.tsx';
import { SecretSettings } from './secret-settings.tsx';
import { ServerSettings } from './server-settings.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';

/** The settings: appearance, models and keys, secrets, servers, trust of the open folder, permissions. */
export function SettingsDialog() {
  const open = useStore(dialogsStore, (state) => state.open === 'settings');
  return (
    <Modal opened={open} onClose={closeDialog} title={texts.title} size={860} closeButtonProps={{ 'aria-label': texts.close }}>
      <Tabs
        className={styles.tabs ?? ''}
        classNames={{ list: styles.subjects ?? '', tab: styles.subject ?? '' }}
        orientation="vertical"
        defaultValue="appearance"
        keepMounted={false}
      >
        <Tabs.List aria-label={texts.title}>
          <Tabs.Tab value="appearance">{texts.tabs.appearance}</Tabs.Tab>
          <Tabs.Tab value="models">{texts.tabs.models}</Tabs.Tab>
          <Tabs.Tab value="secrets">{texts.tabs.secrets}</Tabs.Tab>
          <Tabs.Tab value="servers">{texts.tabs.servers}</Tabs.Tab>
          <Tabs.Tab value="folder">{texts.tabs.folder}</Tabs.Tab>
          <Tabs.Tab value="permissions">{texts.tabs.permissions}</Tabs.Tab>
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
        <Tabs.Panel value="servers" className={styles.panel ?? ''}>
          <ServerSettings />
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
