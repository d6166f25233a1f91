import { ActionIcon, Menu } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { studio } from '#renderer/api/studio.ts';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import type { Fold } from '#shared/contract/iterations.ts';
import { goToRound } from './go-to-round.ts';
import { texts } from './texts.ts';
import type { Folding } from './use-folds.ts';

interface FoldMenuProps {
  readonly view: RunView;
  readonly titles: NodeTitles;
  readonly folding: Folding;
}

/** Folds the rounds of loops and items in the timeline, and goes to the first failed or the slowest one. Nothing for a run without rounds. */
export function FoldMenu({ view: { run_id }, titles, folding: { all, on, turn } }: FoldMenuProps) {
  if (all.length === 0) return null;

  const jump = ({ node, kind }: Fold, which: 'first_failed' | 'slowest') =>
    void goToRound(run_id, { kind: kind === 'each' ? 'item' : 'round', node }, () => studio.runs.findRound({ run_id, node, which }));

  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={texts.folds} title={texts.folds} data-active={on}>
          <IconRepeat size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.folds}>
        <Menu.Item onClick={() => turn(!on)}>{on ? texts.unfold : texts.fold}</Menu.Item>
        {all.map((fold) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
          <div key={fold.node} role="group" aria-label={texts.foldOf(fold.kind, titles(fold.node), fold.rounds)}>
            <Menu.Label>{texts.foldOf(fold.kind, titles(fold.node), fold.rounds)}</Menu.Label>
            <Menu.Item onClick={() => jump(fold, 'first_failed')}>{texts.firstFailed}</Menu.Item>
            <Menu.Item onClick={() => jump(fold, 'slowest')}>{texts.slowest}</Menu.Item>
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
