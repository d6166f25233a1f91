import { Button, Modal } from '@mantine/core';
import { useStore } from 'zustand';
import { carryOut } from '#renderer/document/flows/editor.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { importConflictsStore, settleConflict } from '#renderer/document/saving/import-conflicts-store.ts';
import { FileDifference } from '#renderer/ui/values/file-difference.tsx';
import type { Json } from '#shared/json.ts';
import styles from './disk-notice.module.css';
import { texts } from './texts.ts';

/** Lets the user choose, for each node that was edited here and changed in the workflow, which version the flow gets. */
export function ImportConflictsDialog() {
  const { open } = useStore(importConflictsStore);
  const flow = useCurrentFlow((shown) => shown);
  const [conflict] = open;
  if (!conflict || !flow || flow.path !== conflict.flow) return null;
  const index = flow.readable?.nodes.find(({ id }) => id === conflict.node)?.index;
  const take = () => {
    const edit = conflict.there === null ? ({ type: 'remove' } as const) : ({ type: 'set', value: conflict.there } as const);
    const edits = index === undefined ? [] : [{ ...edit, path: ['nodes', index] }];
    if (carryOut({ ok: true, label: texts.workflow.take(conflict.node), edits })) settleConflict(conflict);
  };
  return (
    <Modal opened onClose={() => settleConflict(conflict)} title={texts.workflow.conflict(conflict.node)} size="xl">
      <FileDifference
        file={{ path: conflict.node, before: textOf(conflict.here), after: textOf(conflict.there) }}
        summary={texts.workflow.conflictHint(open.length - 1)}
      />
      <div className={styles.decision}>
        <Button size="compact-sm" variant="default" onClick={() => settleConflict(conflict)}>
          {texts.workflow.keepMine}
        </Button>
        <Button size="compact-sm" onClick={take}>
          {texts.workflow.takeTheirs}
        </Button>
      </div>
    </Modal>
  );
}

function textOf(node: Json): string {
  return node === null ? '' : JSON.stringify(node, null, 2);
}
