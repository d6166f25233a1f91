import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { ContextMenu } from '#renderer/app/commands/context-menu.tsx';
import { Palettes } from '#renderer/app/commands/palettes.tsx';
import { ShortcutSheet } from '#renderer/app/commands/shortcut-sheet.tsx';
import { useCommandKeys } from '#renderer/app/commands/use-command-keys.ts';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { CanvasArea } from '#renderer/editor/canvas/canvas-area.tsx';
import { FindDialog } from '#renderer/editor/find/find-dialog.tsx';
import { FlowFileDialog } from '#renderer/editor/library/flow-file-dialog.tsx';
import { placeInSight } from '#renderer/editor/library/place-in-sight.ts';
import { ProblemsPanel, problemsOf } from '#renderer/editor/problems/problems-panel.tsx';
import { HistoryDialog } from '#renderer/editor/undo-history/history-dialog.tsx';
import { ConversationDialog } from '#renderer/runs/conversations/conversation-dialog.tsx';
import { RunBar } from '#renderer/runs/debugger/run-bar.tsx';
import { RecordDialog } from '#renderer/runs/dialogs/record-dialog.tsx';
import { RunDialog } from '#renderer/runs/dialogs/run-dialog.tsx';
import { TryTool } from '#renderer/runs/dialogs/try-tool.tsx';
import { TimeTravelDialog } from '#renderer/runs/time-travel/time-travel-dialog.tsx';
import { cssVariablesResolver, theme } from '#renderer/ui/theme/theme.ts';
import { ConsentDialog } from '#renderer/workspace/consent/consent-dialog.tsx';
import { DeployDialog } from '#renderer/workspace/deploy/deploy-dialog.tsx';
import { chooseAndOpenFolder } from '#renderer/workspace/folder/choose-folder.ts';
import { FolderPicker } from '#renderer/workspace/folder/folder-picker.tsx';
import { OpenElsewhere } from '#renderer/workspace/folder/open-elsewhere.tsx';
import { TrustBanner } from '#renderer/workspace/folder/trust-banner.tsx';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { SettingsDialog } from '#renderer/workspace/settings/settings-dialog.tsx';
import { useSettings } from '#renderer/workspace/settings/use-settings.ts';
import { ToolBrowser } from '#renderer/workspace/tools/tool-browser.tsx';
import { BottomPanel } from './bottom-panel.tsx';
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
      <ToolBrowser onPlace={({ name }) => placeInSight({ kind: 'work', tool: name })} tryTool={(tool) => <TryTool tool={tool} />} />
      <ConsentDialog />
      <Palettes />
      <ContextMenu />
      <ShortcutSheet />
      <HistoryDialog />
      <FindDialog />
      <SettingsDialog />
      <ConversationDialog />
      <FlowFileDialog />
      <DeployDialog />
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
