import { editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { askAboutFlowFile } from '#renderer/document/flows/flow-file-task-store.ts';
import { importWorkflow } from '#renderer/document/saving/import-workflow.ts';
import { closeTab } from '#renderer/document/saving/sync.ts';
import type { Command } from '#renderer/shell/command.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { askToDeploy } from '#renderer/workspace/deploy/deploy-store.ts';
import { openFlowElsewhere } from '#renderer/workspace/folder/open-elsewhere-store.ts';
import { workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import { texts } from './texts.ts';

/** The flow that a command is about: that of the menu's row or tab, else the shown one. */
function subjectPath(): string | null {
  return menuSubject().path ?? editorStore.getState().current;
}

function subjectFile() {
  const path = subjectPath();
  return workspaceStore.getState().workspace?.flows.find((flow) => flow.path === path);
}

const needsFile = () => (subjectFile() ? null : texts.why.noFlow);
const needsTab = () => (editorStore.getState().tabs.includes(subjectPath() ?? '') ? null : texts.why.noFlow);

/** Commands for a flow file: in its row of the list, on its tab, and for the shown flow. */
export const flowCommands: readonly Command[] = [
  {
    id: 'open_flow_file',
    title: texts.titles.openFlow,
    short: texts.menu.open,
    section: 'File',
    where: ['flow'],
    whyNot: needsFile,
    run: () => {
      const path = subjectPath();
      if (path !== null) void showFlow(path);
    },
  },
  {
    id: 'import_flow_file',
    title: texts.titles.importShown,
    short: texts.menu.import,
    section: 'File',
    where: ['flow'],
    whyNot: () => (mayBeWorkflow(subjectPath() ?? '') ? null : texts.why.notWorkflow),
    run: () => {
      const path = subjectPath();
      if (path !== null) void importWorkflow(path);
    },
  },
  {
    id: 'rename_flow',
    title: texts.titles.renameFlow,
    short: texts.menu.rename,
    section: 'File',
    where: ['flow', 'tab'],
    whyNot: needsFile,
    run: () => {
      const flow = subjectFile();
      if (flow) askAboutFlowFile({ type: 'rename', flow });
    },
  },
  {
    id: 'deploy_flow',
    title: texts.titles.deployFlow,
    short: texts.menu.deploy,
    section: 'File',
    where: ['flow', 'tab'],
    whyNot: needsFile,
    run: () => {
      const path = subjectPath();
      if (path !== null) askToDeploy(path);
    },
  },
  {
    id: 'open_with_flow',
    title: texts.titles.openWithFlow,
    section: 'File',
    where: ['flow', 'tab'],
    whyNot: needsFile,
    run: () => {
      const path = subjectPath();
      if (path !== null) openFlowElsewhere(path);
    },
  },
  {
    id: 'close_tab',
    title: texts.titles.closeTab,
    short: texts.menu.close,
    section: 'File',
    where: ['tab'],
    whyNot: needsTab,
    run: () => {
      const path = subjectPath();
      if (path !== null) void closeTab(path);
    },
  },
  {
    id: 'close_other_tabs',
    title: texts.titles.closeOtherTabs,
    short: texts.menu.closeOthers,
    section: 'File',
    where: ['tab'],
    whyNot: () => needsTab() ?? (editorStore.getState().tabs.length > 1 ? null : texts.why.onlyTab),
    run: () => {
      const path = subjectPath();
      for (const tab of editorStore.getState().tabs) if (tab !== path) void closeTab(tab);
    },
  },
  {
    id: 'remove_flow',
    title: texts.titles.removeFlow,
    short: texts.menu.remove,
    section: 'File',
    where: ['flow'],
    whyNot: needsFile,
    run: () => {
      const flow = subjectFile();
      if (flow) askAboutFlowFile({ type: 'remove', flow });
    },
  },
];
