import { Button } from '@mantine/core';
import { IconFileAlert } from '@tabler/icons-react';
import { EmptyState } from '#renderer/controls/empty-state.tsx';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import { panelsStore } from '#renderer/stores/panels.ts';
import styles from './canvas-area.module.css';

/** Says on the empty canvas what makes the text of a flow unreadable, and leads to that text. */
export function UnreadableFlowNotice({ flow }: { flow: OpenFlow }) {
  return (
    <div className={styles.notice}>
      <EmptyState icon={IconFileAlert} title="The text of this flow cannot be read">
        {flow.parsed.problems[0]?.message}
      </EmptyState>
      <Button size="xs" onClick={() => panelsStore.getState().showRight('flow')}>
        Mend the text
      </Button>
    </div>
  );
}
