import { Button } from '@mantine/core';
import { IconFileAlert } from '@tabler/icons-react';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import styles from './canvas-area.module.css';
import { texts } from './texts.ts';

/** Explains on the empty canvas why the text of a flow cannot be read, with a button that shows the text. */
export function UnreadableFlowNotice({ flow }: { flow: OpenFlow }) {
  return (
    <div className={styles.notice}>
      <EmptyState icon={IconFileAlert} title={texts.unreadable.title}>
        {flow.parsed.problems[0]?.message}
      </EmptyState>
      <Button size="xs" onClick={() => panelsStore.getState().showRight('flow')}>
        {texts.unreadable.fix}
      </Button>
    </div>
  );
}
