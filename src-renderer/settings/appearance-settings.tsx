import { SegmentedControl, Stack, Text } from '@mantine/core';
import { changeSettings } from '#renderer/stores/settings.ts';
import { useSettings } from '#renderer/stores/use-settings.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import type { Settings } from '#shared/contract/app.ts';

const schemes: { value: Settings['color_scheme']; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const pannings: { value: Settings['panning']; label: string }[] = [
  { value: 'design', label: 'Design: scroll pans' },
  { value: 'map', label: 'Map: scroll zooms' },
];

/** The few things that are a matter of taste. */
export function AppearanceSettings() {
  const settings = useSettings();
  const info = useWorkspace((state) => state.info);
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={500} mb={4}>
          Colours
        </Text>
        <SegmentedControl
          data={schemes}
          value={settings.color_scheme}
          onChange={(color_scheme) => void changeSettings({ color_scheme })}
          aria-label="Colours"
        />
      </div>
      <div>
        <Text size="sm" fw={500} mb={4}>
          Moving about the canvas
        </Text>
        <SegmentedControl
          data={pannings}
          value={settings.panning}
          onChange={(panning) => void changeSettings({ panning })}
          aria-label="Moving about the canvas"
        />
        <Text size="xs" c="dimmed" mt={4}>
          {settings.panning === 'design'
            ? 'Scrolling pans, Ctrl and scrolling zooms, dragging selects, Space and dragging pans.'
            : 'Scrolling zooms, dragging pans, Shift and dragging selects.'}
        </Text>
      </div>
      {info && (
        <Text size="xs" c="dimmed">
          Pravah Studio {info.version}, {info.host === 'electron' ? 'desktop' : 'in the browser'}.{info.notice && ` ${info.notice}`}
        </Text>
      )}
    </Stack>
  );
}
