import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, useSpotlight } from '@mantine/spotlight';
import { IconFileText, IconSearch, IconTopologyStar3 } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { showFlow } from '#renderer/document/flows/editor.ts';
import { revealNode } from '#renderer/document/flows/selection.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { importWorkflow } from '#renderer/document/saving/import-workflow.ts';
import { type Command, runOrExplain } from '#renderer/shell/command.ts';
import { noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import { isMac } from '#renderer/shell/platform.ts';
import { shortcutText } from '#renderer/shell/shortcut.ts';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import { KindChip } from '#renderer/ui/kinds/kind-chip.tsx';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { ImportableFile } from '#shared/contract/flows.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import { paletteStores } from './palette-store.ts';
import styles from './palettes.module.css';
import { studioCommands } from './studio-commands.ts';
import { texts } from './texts.ts';

/** Props that the fields of the palettes share. */
const search = {
  leftSection: <IconSearch size={16} aria-hidden="true" />,
  // The dialog itself focuses it in a later task, after the first keys.
  ref: (field: HTMLInputElement | null) => field?.focus(),
} as const;

const noNodes: readonly NodeView[] = [];
const noFlows: readonly FlowFile[] = [];

/** Props that the palettes share. */
const look = {
  shortcut: null,
  scrollable: true,
  maxHeight: 420,
  highlightQuery: true,
  // The list scrolls, so the keyboard must be able to reach it.
  scrollAreaProps: { viewportProps: { tabIndex: 0 } },
  // Not centered, so that the input does not move while the list grows and shrinks.
  centered: false,
  yOffset: '12vh',
  overlayProps: { backgroundOpacity: 0.35, blur: 0 },
  transitionProps: { duration: 0 },
  classNames: {
    search: styles.search ?? '',
    actionsList: styles.list ?? '',
    actionsGroup: styles.group ?? '',
    action: styles.action ?? '',
    actionDescription: styles.description ?? '',
  },
} as const;

function commandAction(command: Command): SpotlightActionData {
  const keys = command.keys?.[0] ?? command.hint;
  const why = command.whyNot?.() ?? null;
  return {
    id: command.id,
    label: command.title,
    ...(keys && { rightSection: <KeyHint keys={shortcutText(keys, isMac)} /> }),
    ...(why !== null && { description: why, 'aria-disabled': true }),
    onClick: () => runOrExplain(command, (reason) => noticeProblem(command.title, reason)),
  };
}

function commandGroups(): SpotlightActionGroupData[] {
  return (['File', 'Edit', 'View', 'Run', 'Debug', 'Help'] as const).map((section) => ({
    group: texts.sections[section],
    actions: studioCommands.filter((command) => command.section === section).map(commandAction),
  }));
}

/** The command palette, the palette of nodes and flows, and that of workflows. */
export function Palettes() {
  return (
    <>
      <Commands />
      <NodesAndFlows />
      <Workflows />
    </>
  );
}

/** The command palette. Commands that cannot run now say why. */
function Commands() {
  const { opened } = useSpotlight(paletteStores.commands);
  const [groups, setGroups] = useState<SpotlightActionGroupData[]>(commandGroups);
  useEffect(() => {
    if (opened) setGroups(commandGroups());
  }, [opened]);
  return (
    <Spotlight
      store={paletteStores.commands}
      actions={groups}
      {...look}
      attributes={{ content: { 'aria-label': texts.palette.commands } }}
      nothingFound={texts.palette.noCommand}
      searchProps={{ ...search, placeholder: texts.palette.commandPlaceholder, 'aria-label': texts.palette.searchCommands }}
    />
  );
}

/** The palette of nodes and flows. Builds its list only while open, since every edit of a large flow would rebuild it. */
function NodesAndFlows() {
  const { opened } = useSpotlight(paletteStores.places);
  const nodes = useCurrentFlow((flow) => (opened ? (flow?.view.nodes ?? noNodes) : null));
  const flows = useWorkspace((state) => (opened ? (state.workspace?.flows ?? noFlows) : null));
  const [groups, setGroups] = useState<SpotlightActionGroupData[]>([]);
  useEffect(() => {
    if (nodes && flows) setGroups(actionsFor(nodes, flows));
  }, [nodes, flows]);
  return (
    <Spotlight
      store={paletteStores.places}
      actions={groups}
      {...look}
      attributes={{ content: { 'aria-label': texts.palette.nodesAndFlows } }}
      limit={30}
      nothingFound={texts.palette.noNodeOrFlow}
      searchProps={{
        ...search,
        placeholder: texts.palette.nodeOrFlowPlaceholder,
        'aria-label': texts.palette.searchNodesAndFlows,
      }}
    />
  );
}

/** The palette of workflows and exports of other tools to import. The folder is searched when it opens. */
function Workflows() {
  const { opened } = useSpotlight(paletteStores.workflows);
  const [files, setFiles] = useState<readonly ImportableFile[]>([]);
  useEffect(() => {
    if (!opened) return;
    studio.flows.importable().then(setFiles, (thrown: unknown) => noticeFailure(texts.palette.notSearched, thrown));
  }, [opened]);
  const actions = files.map(({ path, tool }) => ({
    id: `workflow ${path}`,
    label: path,
    description: tool,
    leftSection: <IconTopologyStar3 size={16} aria-hidden="true" />,
    onClick: () => void importWorkflow(path),
  }));
  return (
    <Spotlight
      store={paletteStores.workflows}
      actions={actions}
      {...look}
      attributes={{ content: { 'aria-label': texts.palette.workflows } }}
      nothingFound={texts.palette.noWorkflow}
      searchProps={{ ...search, placeholder: texts.palette.workflowPlaceholder, 'aria-label': texts.palette.searchWorkflows }}
    />
  );
}

function actionsFor(nodes: readonly NodeView[], flows: readonly FlowFile[]): SpotlightActionGroupData[] {
  return [
    {
      group: texts.palette.nodes,
      actions: nodes.map((node) => ({
        id: `node ${node.key}`,
        label: node.title,
        description: node.id,
        leftSection: <KindChip kind={node.kind} />,
        // Code, prompt, tool and outputs can be searched for as well.
        keywords: [node.detail?.text ?? '', ...node.outputs.map((port) => port.state)],
        onClick: () => revealNode(node.key, true),
      })),
    },
    {
      group: texts.palette.flows,
      actions: flows.map((flow) => ({
        id: `flow ${flow.path}`,
        label: flow.name,
        description: flow.path,
        leftSection: <IconFileText size={16} aria-hidden="true" />,
        onClick: () => void showFlow(flow.path),
      })),
    },
  ];
}
