import { IconAlertTriangle, IconCheck, IconCircleX, IconGitBranch } from '@tabler/icons-react';
import type { Workspace } from '#shared/contract/workspace.ts';
import { HostPulse } from './host-pulse.tsx';
import styles from './status-bar.module.css';

interface StatusBarProps {
  readonly workspace: Workspace | null;
  /** Counts of the open flow; null while none is open. */
  readonly flow: { readonly errors: number; readonly warnings: number; readonly nodes: number; readonly states: number } | null;
  /** Models that the open flow's agents use, in words. */
  readonly models: string;
  onShowProblems(): void;
  onTrust(): void;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** One line at the bottom: the flow's health, its size, the folder's trust, git, models. */
export function StatusBar({ workspace, flow, models, onShowProblems, onTrust }: StatusBarProps) {
  const count = flow ? flow.errors + flow.warnings : 0;
  const Icon = !flow || count === 0 ? IconCheck : flow.errors > 0 ? IconCircleX : IconAlertTriangle;
  return (
    <div className={styles.bar}>
      {flow && (
        <>
          <button
            type="button"
            className={`${styles.item} ${count === 0 ? styles.good : flow.errors > 0 ? styles.bad : ''}`}
            onClick={onShowProblems}
          >
            <Icon size={14} aria-hidden="true" />
            {count === 0 ? 'No problems' : flow.errors > 0 ? plural(flow.errors, 'error') : plural(flow.warnings, 'warning')}
          </button>
          <span className={styles.item}>
            {plural(flow.nodes, 'node')} · {plural(flow.states, 'state')}
          </span>
        </>
      )}
      {workspace && (
        <button type="button" className={styles.item} onClick={onTrust}>
          {workspace.trusted ? 'Trusted folder' : 'Restricted folder'}
        </button>
      )}
      {workspace?.journal_notice && (
        <span className={styles.item} title={workspace.journal_notice}>
          {workspace.journal_notice}
        </span>
      )}
      <HostPulse />
      <div className={styles.right}>
        {workspace?.git && (
          <span className={styles.item}>
            <IconGitBranch size={14} aria-hidden="true" />
            {workspace.git.branch}
            {workspace.git.changed > 0 && ` · ${plural(workspace.git.changed, 'file')} changed`}
          </span>
        )}
        {models && <span className={styles.item}>{models}</span>}
      </div>
    </div>
  );
}
