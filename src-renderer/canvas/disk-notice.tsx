import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { isDirty, type OpenFlow } from '#renderer/editing/open-flow.ts';
import { FileDifference } from '#renderer/inbox/file-difference.tsx';
import { overwriteFlow, takeFromDisk } from '#renderer/stores/saving.ts';
import styles from './disk-notice.module.css';
import { OtherDraftNotice } from './other-draft-notice.tsx';

/**
 * Says that the file is no longer the one on which the edits are based, or that there are other unsaved edits, shows the difference, and lets the user
 * decide.
 */
export function DiskNotice({ flow }: { flow: OpenFlow }) {
  const [comparing, setComparing] = useState(false);
  if (flow.disk) {
    return (
      <section className={styles.notice} aria-label="The file has changed on disk">
        <span className={styles.text}>
          {flow.disk.text === null ? 'This file is no longer on disk.' : 'This file was changed on disk by somebody else.'}{' '}
          {flow.code ? 'What was loaded of it stays here.' : 'Your edits are safe; nothing was overwritten.'}
        </span>
        {flow.disk.text !== null && (
          <Button size="compact-xs" variant="default" onClick={() => setComparing(true)}>
            Show the difference
          </Button>
        )}
        {!flow.code && <Decision flow={flow} />}
        <Modal opened={comparing} onClose={() => setComparing(false)} title={`${flow.path}: on disk and here`} size="xl">
          <FileDifference file={{ path: flow.path, before: flow.disk.text ?? '', after: flow.parsed.text, before_hash: flow.disk.hash }} />
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
      <section className={styles.notice} data-quiet aria-label="Unsaved edits restored">
        <span className={styles.text}>Unsaved edits of {new Date(flow.restored_at).toLocaleString()} are restored. Save keeps them.</span>
        <Button size="compact-xs" variant="default" onClick={() => void takeFromDisk(flow.path)}>
          Go back to the saved file
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
          Take the file
        </Button>
      )}
      <Button size="compact-xs" onClick={() => void overwriteFlow(flow.path)}>
        Keep mine and save
      </Button>
    </>
  );
}
