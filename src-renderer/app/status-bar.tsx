import { IconCheck, IconGitBranch } from '@tabler/icons-react';
import { toneLooks } from '#renderer/editor/problems/problem-tone.ts';
import { SuppliedCount } from '#renderer/runs/supplied/supplied-count.tsx';
import type { Workspace } from '#shared/contract/workspace.ts';
import { HostPulse } from './host-pulse.tsx';
import { PanelButtons } from './panel-buttons.tsx';
import styles from './status-bar.module.css';
import { texts } from './texts.ts';

interface StatusBarProps {
  readonly workspace: Workspace | null;
  /** Counts of the current flow, or null while no flow is open. */
  readonly flow: {
    readonly errors: number;
    readonly unfinished: number;
    readonly warnings: number;
    readonly nodes: number;
    readonly states: number;
  } | null;
  /** The models of the current flow's agents, as text. */
  readonly models: string;
  onShowProblems(): void;
  onTrust(): void;
}

function verdictOf({ errors, unfinished, warnings }: NonNullable<StatusBarProps['flow']>): string {
  if (errors > 0) return texts.errors(errors + unfinished);
  if (unfinished > 0) return texts.unfinished(unfinished);
  return warnings > 0 ? texts.warnings(warnings) : texts.noProblems;
}

/** The bar at the bottom: the flow's problems and size, the folder's trust, git, models. */
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
            {verdictOf(flow)}
          </button>
          <span className={styles.item}>
            {texts.nodes(flow.nodes)} · {texts.states(flow.states)}
          </span>
        </>
      )}
      <SuppliedCount className={styles.item} />
      {workspace && (
        <button type="button" className={styles.item} onClick={onTrust}>
          {workspace.trusted ? texts.trusted : texts.restricted}
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
            {workspace.git.changed > 0 && ` · ${texts.filesChanged(workspace.git.changed)}`}
          </span>
        )}
        {models && <span className={`${styles.item} ${styles.models}`}>{models}</span>}
      </div>
      <PanelButtons />
    </div>
  );
}
