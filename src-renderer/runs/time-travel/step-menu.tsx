import { Menu } from '@mantine/core';
import { IconEye, IconFolderShare, IconGitBranch } from '@tabler/icons-react';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { texts } from './texts.ts';
import { forkShownRun, restoreFilesOfShownRun } from './time-travel-actions.ts';

/** Where a step's menu opens, in pixels of the window. */
export interface StepMenuPlace {
  readonly seq: number;
  readonly x: number;
  readonly y: number;
}

/** Actions for one step of the shown run. */
export function StepMenu({ place, onClose }: { place: StepMenuPlace; onClose(): void }) {
  const { seq, x, y } = place;
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={260} shadow="md" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={texts.step(seq)}
          style={{ position: 'fixed', left: x, top: y, width: 0, height: 0, padding: 0, border: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.step(seq)}>
        <Menu.Item leftSection={<IconEye size={15} />} onClick={() => runSessionStore.getState().select(seq)}>
          {texts.menu.view(seq)}
        </Menu.Item>
        <Menu.Item leftSection={<IconGitBranch size={15} />} onClick={() => forkShownRun(seq)}>
          {texts.menu.runFrom(null)}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderShare size={15} />} onClick={() => restoreFilesOfShownRun(seq)}>
          {texts.menu.restore(seq)}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
