import { Button } from '@mantine/core';
import { IconFileCode, IconTopologyStar3 } from '@tabler/icons-react';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { setTrust } from '#renderer/workspace/folder/workspace.ts';
import type { CodeFlowContent } from '#shared/contract/flows.ts';
import styles from './canvas-area.module.css';
import { texts } from './texts.ts';

/** Explains on the empty canvas why a flow in code is not shown: the folder is not trusted, or the file cannot be loaded. */
export function CodeFlowNotice({ code }: { code: CodeFlowContent }) {
  const [problem] = code.report.problems;
  const untrusted = problem?.code === 'needs_trust';
  return (
    <div className={styles.notice}>
      <EmptyState icon={IconFileCode} title={untrusted ? texts.codeFlow.needsTrust : texts.codeFlow.notLoaded}>
        {untrusted ? texts.codeFlow.needsTrustHint : (problem?.message ?? texts.codeFlow.empty)}
      </EmptyState>
      {untrusted && (
        <Button size="xs" onClick={() => void setTrust(true)}>
          {texts.codeFlow.trust}
        </Button>
      )}
    </div>
  );
}

/** Explains on the empty canvas why a PyFlow workflow is not drawn: its first error with its line. */
export function BrokenWorkflowNotice({ code }: { code: CodeFlowContent }) {
  const problem = code.report.problems.find(({ severity }) => severity === 'error');
  return (
    <div className={styles.notice}>
      <EmptyState icon={IconTopologyStar3} title={texts.workflow.notDrawn}>
        {problem && texts.workflow.problemAt(problem.line ?? 1, problem.message)}
      </EmptyState>
    </div>
  );
}
