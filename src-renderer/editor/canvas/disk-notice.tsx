import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { isDirty, type OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { overwriteFlow, takeFromDisk } from '#renderer/document/saving/saving.ts';
import { FileDifference } from '#renderer/ui/values/file-difference.tsx';
import styles from './disk-notice.module.css';
import { OtherDraftNotice } from './other-draft-notice.tsx';
import { texts } from './texts.ts';

/**
 * Reports that the file on disk differs from the version the edits are based on, or that other unsaved edits exist.
 * Shows the difference and lets the user choose.
 */
export function DiskNotice({ flow }: { flow: OpenFlow }) {
  const [comparing, setComparing] = useState(false);
  if (flow.disk) {
    return (
      <section className={styles.notice} aria-label={texts.disk.changed}>
        <span className={styles.text}>
          {flow.disk.text === null ? texts.disk.deleted : texts.disk.changedByOther}{' '}
          {flow.code ? texts.disk.loadedStays : texts.disk.editsSafe}
        </span>
        {flow.disk.text !== null && (
          <Button size="compact-xs" variant="default" onClick={() => setComparing(true)}>
            {texts.disk.showDifference}
          </Button>
        )}
        {!flow.code && <Decision flow={flow} />}
        <Modal opened={comparing} onClose={() => setComparing(false)} title={texts.disk.compare(flow.path)} size="xl">
          <FileDifference file={{ path: flow.path, before: flow.disk.text ?? '', after: flow.parsed.text }} />
          <div className={styles.decision}>
            <Decision flow={flow} />
          </div>
        </Modal>
      </section>
    );
  }
  const [other] = flow.others;
  if (other) return <OtherDraftNotice key={`${other.id} ${other.hash}`} flow={flow} other={other} />;
  if (flow.restored_at !== null && isDirty(flow)) {
    return (
      <section className={styles.notice} data-quiet aria-label={texts.disk.restored}>
        <span className={styles.text}>{texts.disk.restoredFrom(new Date(flow.restored_at).toLocaleString())}</span>
        <Button size="compact-xs" variant="default" onClick={() => void takeFromDisk(flow.path)}>
          {texts.disk.discard}
        </Button>
      </section>
    );
  }
  return null;
}

function Decision({ flow }: { flow: OpenFlow }) {
  return (
    <>
      {flow.disk?.text !== null && (
        <Button size="compact-xs" variant="default" onClick={() => void takeFromDisk(flow.path)}>
          {texts.disk.useFile}
        </Button>
      )}
      <Button size="compact-xs" onClick={() => void overwriteFlow(flow.path)}>
        {texts.disk.keepMine}
      </Button>
    </>
  );
}
