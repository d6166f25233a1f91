import { IconCheck, IconGitBranch } from '@tabler/icons-react';
import { toneLooks } from '#renderer/problems/problem-tone.ts';
import type { Workspace } from '#shared/contract/workspace.ts';
import { HostPulse } from './host-pulse.tsx';
import styles from './status-bar.module.css';

interface StatusBarProps {
  readonly workspace: Workspace | null;
  /** Counts of the open flow; null while none is open. */
  readonly flow: {
    readonly errors: number;
    readonly unfinished: number;
    readonly warnings: number;
    readonly nodes: number;
    readonly states: number;
  } | null;
  /** Models that the open flow's agents use, in words. */
  readonly models: string;
  onShowProblems(): void;
  onTrust(): void;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function healthOf({ errors, unfinished, warnings }: NonNullable<StatusBarProps['flow']>): string {
  if (errors > 0) return plural(errors + unfinished, 'error');
  if (unfinished > 0) return `Not finished: ${plural(unfinished, 'problem')}`;
  return warnings > 0 ? plural(warnings, 'warning') : 'No problems';
}

/** One line at the bottom: the flow's health, its size, the folder's trust, git, models. */
export function StatusBar({ workspace, flow, models, onShowProblems, onTrust }: StatusBarProps) {
  const tone = !flow ? null : flow.errors > 0 ? 'error' : flow.unfinished > 0 ? 'unfinished' : flow.warnings > 0 ? 'warning' : null;
  const Icon = tone === null ? IconCheck : toneLooks[tone].icon;
  return (
    <div className={styles.bar}>
      {flow && (
        <>
          <button
            type="button"
            className={`${styles.item} ${tone === null ? styles.good : tone === 'error' ? styles.bad : ''}`}
            onClick={onShowProblems}
          >
            <Icon size={14} aria-hidden="true" />
            {healthOf(flow)}
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
