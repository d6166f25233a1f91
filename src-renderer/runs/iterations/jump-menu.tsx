import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { studio } from '#renderer/api/studio.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { comparisonStore } from '#renderer/runs/time-travel/comparison.ts';
import { goToRound } from './go-to-round.ts';
import { texts } from './texts.ts';
import type { NodeOfRun } from './use-iteration.ts';

type Which = Parameters<typeof studio.runs.findIteration>[0]['which'];

/** Goes to a round of a node by what happened in it. Rounds are compared with those of the run that the shown one is compared with. */
export function JumpMenu({ subject }: { subject: NodeOfRun }) {
  const other = useStore(comparisonStore, ({ comparison }) => (comparison?.run_id === subject.run_id ? comparison.other_run_id : null));

  const jump = (which: Which, other_run_id?: string) =>
    void goToRound(subject.run_id, { kind: 'round', node: subject.node }, () =>
      studio.runs.findIteration({ ...subject, which, ...(other_run_id !== undefined && { other_run_id }) }),
    );

  return (
    <Menu position="bottom-start" shadow="md" width={240}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={texts.jump} title={texts.jump}>
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.jump}>
        <Menu.Item onClick={() => jump('first_failed')}>{texts.firstFailed}</Menu.Item>
        <Menu.Item onClick={() => jump('slowest')}>{texts.slowest}</Menu.Item>
        <Menu.Item onClick={() => jump('first_different')}>{texts.firstDifferent}</Menu.Item>
        {other !== null && (
          <Menu.Item onClick={() => jump('first_different', other)}>{texts.firstDifferentFrom(shortRunName(other))}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
