import { Button } from '@mantine/core';
import { IconFileCode } from '@tabler/icons-react';
import { EmptyState } from '#renderer/controls/empty-state.tsx';
import { setTrust } from '#renderer/stores/workspace.ts';
import type { CodeFlowContent } from '#shared/contract/flows.ts';
import styles from './canvas-area.module.css';

/** Says on the empty canvas why a flow in code is not drawn: nobody trusts the folder, or the file cannot be loaded. */
export function CodeFlowNotice({ code }: { code: CodeFlowContent }) {
  const [problem] = code.report.problems;
  const untrusted = problem?.code === 'needs_trust';
  return (
    <div className={styles.notice}>
      <EmptyState icon={IconFileCode} title={untrusted ? 'Trust this folder to open this flow' : 'This flow cannot be loaded'}>
        {untrusted
          ? 'It is a flow in code, and opening it runs that code on this machine. Trust the folder only if you know who wrote it.'
          : (problem?.message ?? 'It has no nodes.')}
      </EmptyState>
      {untrusted && (
        <Button size="xs" onClick={() => void setTrust(true)}>
          Trust and open
        </Button>
      )}
    </div>
  );
}
