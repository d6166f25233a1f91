import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { dropOther, keepBoth, takeOther } from '#renderer/document/saving/saving.ts';
import { FileDifference } from '#renderer/ui/values/file-difference.tsx';
import type { OtherDraft } from '#shared/contract/flows.ts';
import styles from './disk-notice.module.css';
import { texts } from './texts.ts';

interface OtherDraftNoticeProps {
  readonly flow: OpenFlow;
  readonly other: OtherDraft;
}

/** Reports other unsaved edits of this flow that could not be merged, and lets the user choose. */
export function OtherDraftNotice({ flow, other }: OtherDraftNoticeProps) {
  const [comparing, setComparing] = useState(false);
  const more = flow.others.length - 1;
  return (
    <section className={styles.notice} aria-label={texts.otherVersion.title}>
      <span className={styles.text}>
        {textOf(other)} {texts.otherVersion.bothKept}
        {more > 0 && ` ${texts.otherVersion.more(more)}`}
      </span>
      <div className={styles.buttons}>
        <Button size="compact-xs" variant="default" onClick={() => setComparing(true)}>
          {texts.otherVersion.compare}
        </Button>
        <Choice flow={flow} other={other} />
      </div>
      <Modal opened={comparing} onClose={() => setComparing(false)} title={texts.otherVersion.compareTitle(flow.path)} size="xl">
        <FileDifference
          file={{ path: flow.path, before: flow.parsed.text, after: other.text }}
          summary={texts.otherVersion.compareSummary}
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
  return refused ? texts.otherVersion.notMerged(time) : texts.otherVersion.otherProgram(time);
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
        {texts.otherVersion.useOther}
      </Button>
      <Button size="compact-xs" variant="default" onClick={once(() => dropOther(path, other))}>
        {texts.otherVersion.keepThis}
      </Button>
      <Button size="compact-xs" variant="default" title={texts.otherVersion.keepBothHint} onClick={once(() => keepBoth(path, other))}>
        {texts.otherVersion.keepBoth}
      </Button>
    </>
  );
}
