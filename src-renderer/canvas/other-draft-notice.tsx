import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { FileDifference } from '#renderer/inbox/file-difference.tsx';
import { dropOther, keepBoth, takeOther } from '#renderer/stores/saving.ts';
import type { OtherDraft } from '#shared/contract/flows.ts';
import styles from './disk-notice.module.css';

interface OtherDraftNoticeProps {
  readonly flow: OpenFlow;
  readonly other: OtherDraft;
}

/** Says that there are unsaved edits besides those shown, which could not be merged, and lets the user choose. */
export function OtherDraftNotice({ flow, other }: OtherDraftNoticeProps) {
  const [comparing, setComparing] = useState(false);
  const more = flow.others.length - 1;
  return (
    <section className={styles.notice} aria-label="Another version of this flow">
      <span className={styles.text}>
        {textOf(other)} Both versions are kept.{more > 0 && ` ${more} more to decide.`}
      </span>
      <div className={styles.buttons}>
        <Button size="compact-xs" variant="default" onClick={() => setComparing(true)}>
          Compare
        </Button>
        <Choice flow={flow} other={other} />
      </div>
      <Modal opened={comparing} onClose={() => setComparing(false)} title={`${flow.path}: this version and the other`} size="xl">
        <FileDifference
          file={{ path: flow.path, before: flow.parsed.text, after: other.text, before_hash: '' }}
          summary="the other version, against this one"
        />
        <div className={styles.decision}>
          <Choice flow={flow} other={other} />
        </div>
      </Modal>
    </section>
  );
}

function textOf({ refused, saved_at }: OtherDraft): string {
  const date = new Date(saved_at);
  const time = date.toDateString() === new Date().toDateString() ? date.toLocaleTimeString() : date.toLocaleString();
  return refused ? `An edit (${time}) could not be merged.` : `Another program has unsaved edits (${time}).`;
}

function Choice({ flow: { path }, other }: OtherDraftNoticeProps) {
  const [busy, setBusy] = useState(false);
  const once = (act: () => Promise<void>) => () => {
    if (busy) return;
    setBusy(true);
    void act().finally(() => setBusy(false));
  };
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={once(() => takeOther(path, other))}>
        Use the other version
      </Button>
      <Button size="compact-xs" variant="default" onClick={once(() => dropOther(path, other))}>
        Keep this version
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        title="Save the other version as a flow of its own"
        onClick={once(() => keepBoth(path, other))}
      >
        Keep both
      </Button>
    </>
  );
}
