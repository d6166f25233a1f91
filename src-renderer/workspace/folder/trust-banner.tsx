import { Button } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useState } from 'react';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { texts } from './texts.ts';
import styles from './trust-banner.module.css';
import { useWorkspace } from './use-workspace.ts';
import { setTrust } from './workspace.ts';

/** Explains what a restricted folder may not do, until the user trusts the folder or hides the bar. Both buttons weigh the same. */
export function TrustBanner() {
  const workspace = useWorkspace((state) => state.workspace);
  const [hidden, setHidden] = useState<string | null>(null);
  if (!workspace || workspace.trusted || hidden === workspace.folder) return null;
  return (
    <section className={styles.banner} aria-label={texts.trust.label}>
      <IconShieldLock size={16} aria-hidden="true" />
      <span className={styles.text}>
        <TextWith text={texts.trust.about} parts={{ folder: <strong>{workspace.name}</strong> }} />
      </span>
      <Button size="compact-xs" variant="default" onClick={() => void setTrust(true)}>
        {texts.trust.trust}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => setHidden(workspace.folder)}>
        {texts.trust.stay}
      </Button>
    </section>
  );
}
