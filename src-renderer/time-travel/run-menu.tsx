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
} from '@tabler/icons-react';
import { recordShownRun } from '#renderer/runs/record-request.ts';
import type { RunView } from '#renderer/stores/run-fold.ts';
import { useRunSession } from '#renderer/stores/use-run-session.ts';
import { chooseAndOpenCapsule } from './open-capsule.ts';
import { compareShownRun, exportShownRun, forkShownRun, replayShownRun, restoreFilesOfShownRun } from './time-travel-actions.ts';

const size = 15;

/** What can be done with the past of the shown run. */
export function RunMenu({ view }: { view: RunView | null }) {
  const selected = useRunSession((state) => state.selected);
  const settled = view !== null && view.status !== 'running';
  return (
    <Menu position="top-end" width={280} shadow="md" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon size={24} aria-label="More about this run">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconGitBranch size={size} />} disabled={!view} onClick={() => forkShownRun()}>
          {selected === null ? 'Run from here…' : `Run from step ${selected}…`}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowsDiff size={size} />} disabled={!view} onClick={compareShownRun}>
          Compare with another run…
        </Menu.Item>
        <Menu.Item leftSection={<IconRepeat size={size} />} disabled={!settled} onClick={() => replayShownRun('recorded')}>
          Replay from the record
        </Menu.Item>
        <Menu.Item leftSection={<IconRepeat size={size} />} disabled={!settled} onClick={() => replayShownRun('current')}>
          Replay with the flow as saved now
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderShare size={size} />} disabled={!view} onClick={() => restoreFilesOfShownRun()}>
          {selected === null ? 'Restore files…' : `Restore files as after step ${selected}…`}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlayerRecord size={size} />} disabled={!view} onClick={recordShownRun}>
          Record the models’ answers…
        </Menu.Item>
        <Menu.Item leftSection={<IconFileExport size={size} />} disabled={!settled} onClick={exportShownRun}>
          Export as a capsule…
        </Menu.Item>
        <Menu.Item leftSection={<IconFileImport size={size} />} onClick={chooseAndOpenCapsule}>
          Open a capsule…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
