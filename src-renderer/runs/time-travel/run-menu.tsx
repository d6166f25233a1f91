import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowsDiff,
  IconDots,
  IconFileExport,
  IconFileImport,
  IconFolderShare,
  IconGitBranch,
  IconPlayerRecord,
  IconRepeat,
  IconTable,
} from '@tabler/icons-react';
import { recordShownRun } from '#renderer/runs/dialogs/record-request.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { useRunList } from '#renderer/runs/model/use-run-list.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { lastMatrixOf, openMatrix } from './matrix-store.ts';
import { chooseAndOpenCapsule } from './open-capsule.ts';
import { texts } from './texts.ts';
import {
  compareShownRun,
  exportShownRun,
  forkShownRun,
  matrixOfShownRun,
  replayShownRun,
  restoreFilesOfShownRun,
} from './time-travel-actions.ts';

const size = 15;

/** Actions for the shown run and its past steps. */
export function RunMenu({ view }: { view: RunView | null }) {
  const selected = useRunSession((state) => state.selected);
  const group = useRunList((state) => (view ? lastMatrixOf(state.runs, view.run_id) : null));
  const settled = view !== null && view.status !== 'running';
  return (
    <Menu position="top-end" width={280} shadow="md" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={texts.menu.label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconGitBranch size={size} />} disabled={!view} onClick={() => forkShownRun()}>
          {texts.menu.runFrom(selected)}
        </Menu.Item>
        <Menu.Item leftSection={<IconTable size={size} />} disabled={!settled} onClick={() => matrixOfShownRun()}>
          {texts.menu.matrix(selected)}
        </Menu.Item>
        {group !== null && (
          <Menu.Item leftSection={<IconTable size={size} />} onClick={() => void openMatrix(group)}>
            {texts.menu.showMatrix}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconArrowsDiff size={size} />} disabled={!view} onClick={compareShownRun}>
          {texts.menu.compare}
        </Menu.Item>
        <Menu.Item leftSection={<IconRepeat size={size} />} disabled={!settled} onClick={() => replayShownRun('recorded')}>
          {texts.menu.replay}
        </Menu.Item>
        <Menu.Item leftSection={<IconRepeat size={size} />} disabled={!settled} onClick={() => replayShownRun('current')}>
          {texts.menu.replayCurrent}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderShare size={size} />} disabled={!view} onClick={() => restoreFilesOfShownRun()}>
          {texts.menu.restore(selected)}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlayerRecord size={size} />} disabled={!view} onClick={recordShownRun}>
          {texts.menu.record}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileExport size={size} />} disabled={!settled} onClick={exportShownRun}>
          {texts.menu.exportCapsule}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileImport size={size} />} onClick={chooseAndOpenCapsule}>
          {texts.menu.openCapsule}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
