import { Button } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { setTrust } from '#renderer/stores/workspace.ts';
import styles from './trust-banner.module.css';

/** Says what an untrusted folder may not do, until the user decides or hides it for this folder. */
export function TrustBanner() {
  const workspace = useWorkspace((state) => state.workspace);
  const [hidden, setHidden] = useState<string | null>(null);
  if (!workspace || workspace.trusted || hidden === workspace.folder) return null;
  return (
    <section className={styles.banner} aria-label="Restricted folder">
      <IconShieldLock size={16} aria-hidden="true" />
      <span className={styles.text}>
        <strong>{workspace.name}</strong> is restricted: code runs in the sandbox only, no modules, no commands. Trust it only if you know
        who wrote it.
      </span>
      <Button size="compact-xs" onClick={() => void setTrust(true)}>
        Trust this folder
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => setHidden(workspace.folder)}>
        Stay restricted
      </Button>
    </section>
  );
}
