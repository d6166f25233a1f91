import { Button } from '@mantine/core';
import { useState } from 'react';
import { useFlowFields } from '#renderer/document/flows/use-current-flow.ts';
import { importWorkflow } from '#renderer/document/saving/import-workflow.ts';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import styles from './disk-notice.module.css';
import { texts } from './texts.ts';

/** Says that a PyFlow workflow is drawn read-only, and offers to import it. */
export function WorkflowNotice() {
  const flow = useFlowFields('path', 'code');
  const [importing, setImporting] = useState(false);
  if (!flow?.code || !mayBeWorkflow(flow.path)) return null;
  const start = () => {
    setImporting(true);
    void importWorkflow(flow.path).finally(() => setImporting(false));
  };
  return (
    <section className={styles.notice} data-quiet aria-label={texts.workflow.label}>
      <span className={styles.text}>{texts.workflow.readOnly(flow.path)}</span>
      <Button size="compact-xs" variant="default" loading={importing} onClick={start}>
        {texts.workflow.import}
      </Button>
    </section>
  );
}
