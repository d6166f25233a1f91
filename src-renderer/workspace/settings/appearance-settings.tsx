import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { Settings } from '#shared/contract/app.ts';
import { changeSettings } from './settings.ts';
import { texts } from './texts.ts';
import { useSettings } from './use-settings.ts';

const schemes: readonly Settings['color_scheme'][] = ['auto', 'light', 'dark'];
const pannings: readonly Settings['panning'][] = ['design', 'map'];

/** The theme and the navigation of the canvas. */
export function AppearanceSettings() {
  const settings = useSettings();
  const info = useWorkspace((state) => state.info);
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={500} mb={4}>
          {texts.appearance.theme}
        </Text>
        <SegmentedControl
          data={schemes.map((value) => ({ value, label: texts.appearance.schemes[value] }))}
          value={settings.color_scheme}
          onChange={(color_scheme) => void changeSettings({ color_scheme })}
          aria-label={texts.appearance.theme}
        />
      </div>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {texts.appearance.navigation}
        </Text>
        <SegmentedControl
          data={pannings.map((value) => ({ value, label: texts.appearance.pannings[value] }))}
          value={settings.panning}
          onChange={(panning) => void changeSettings({ panning })}
          aria-label={texts.appearance.navigation}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {texts.appearance.panningHints[settings.panning]}
        </Text>
      </div>
      {info && (
        <Text size="xs" c="dimmed">
          {texts.appearance.about(info.version, info.host === 'electron')}
          {info.notice && ` ${info.notice}`}
        </Text>
      )}
    </Stack>
  );
}
