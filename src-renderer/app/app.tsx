import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { CanvasArea } from '#renderer/canvas/canvas-area.tsx';
import { Palettes } from '#renderer/commands/palettes.tsx';
import { ShortcutSheet } from '#renderer/commands/shortcut-sheet.tsx';
import { useCommandKeys } from '#renderer/commands/use-command-keys.ts';
import { ConsentDialog } from '#renderer/consent/consent-dialog.tsx';
import { BottomPanel } from '#renderer/debugger/bottom-panel.tsx';
import { RunBar } from '#renderer/debugger/run-bar.tsx';
import { isDirty } from '#renderer/editing/open-flow.ts';
import { FindDialog } from '#renderer/find/find-dialog.tsx';
import { chooseAndOpenFolder } from '#renderer/folder/choose-folder.ts';
import { FolderPicker } from '#renderer/folder/folder-picker.tsx';
import { OpenElsewhere } from '#renderer/folder/open-elsewhere.tsx';
import { TrustBanner } from '#renderer/folder/trust-banner.tsx';
import { FlowFileDialog } from '#renderer/library/flow-file-dialog.tsx';
import { ProblemsPanel, problemsOf } from '#renderer/problems/problems-panel.tsx';
import { RecordDialog } from '#renderer/runs/record-dialog.tsx';
import { RunDialog } from '#renderer/runs/run-dialog.tsx';
import { SettingsDialog } from '#renderer/settings/settings-dialog.tsx';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import { useSettings } from '#renderer/stores/use-settings.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import { cssVariablesResolver, theme } from '#renderer/theme/theme.ts';
import { TimeTravelDialog } from '#renderer/time-travel/time-travel-dialog.tsx';
import { ToolBrowser } from '#renderer/tools/tool-browser.tsx';
import { HistoryDialog } from '#renderer/undo-history/history-dialog.tsx';
import { LeftPanel } from './left-panel.tsx';
import { LiveRegion } from './live-region.tsx';
import { RightPanel } from './right-panel.tsx';
import { Shell } from './shell.tsx';
import { StudioStatus } from './studio-status.tsx';
import { TopActions } from './top-actions.tsx';
import { TopBar } from './top-bar.tsx';
import { useStudio } from './use-studio.ts';

/** The studio's page. */
export function App() {
  const { color_scheme } = useSettings();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      {...(color_scheme !== 'auto' && { forceColorScheme: color_scheme })}
    >
      <MainScreen />
      <Notifications position="bottom-right" limit={4} />
    </MantineProvider>
  );
}

function MainScreen() {
  useStudio();
  useCommandKeys();
  return (
    <>
      <Shell
        banner={<TrustBanner />}
        topBar={<StudioTopBar />}
        left={<LeftPanel />}
        canvas={<CanvasArea />}
        bottom={<StudioBottom />}
        right={<RightPanel />}
        statusBar={<StudioStatus />}
      />
      <RunDialog />
      <RecordDialog />
      <TimeTravelDialog />
      <ToolBrowser />
      <ConsentDialog />
      <Palettes />
      <ShortcutSheet />
      <HistoryDialog />
      <FindDialog />
      <SettingsDialog />
      <FlowFileDialog />
      <FolderPicker />
      <OpenElsewhere />
      <LiveRegion />
    </>
  );
}

function StudioTopBar() {
  const folder = useWorkspace((state) => state.workspace?.name ?? null);
  const file = useCurrentFlow((flow) => flow?.path ?? null);
  const unsaved = useCurrentFlow((flow) => flow !== null && isDirty(flow));
  return (
    <TopBar
      folder={folder}
      file={file}
      unsaved={unsaved}
      onOpenFolder={() => void chooseAndOpenFolder()}
      runBar={<RunBar />}
      actions={<TopActions />}
    />
  );
}

function StudioBottom() {
  const count = useCurrentFlow((flow) => (flow ? problemsOf(flow).length : 0));
  return <BottomPanel problems={<ProblemsPanel />} problemCount={count} />;
}
