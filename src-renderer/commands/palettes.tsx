import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, useSpotlight } from '@mantine/spotlight';
import { IconFileText, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { KeyHint } from '#renderer/controls/key-hint.tsx';
import type { NodeView } from '#renderer/graph/graph-view.ts';
import { KindChip } from '#renderer/kinds/kind-chip.tsx';
import { showFlow } from '#renderer/stores/editor.ts';
import { revealNode } from '#renderer/stores/selection.ts';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import type { FlowFile } from '#shared/contract/workspace.ts';
import type { Command } from './command.ts';
import { paletteStores } from './palette-store.ts';
import styles from './palettes.module.css';
import { isMac } from './platform.ts';
import { shortcutText } from './shortcut.ts';
import { studioCommands } from './studio-commands.ts';

const searchIcon = <IconSearch size={16} aria-hidden="true" />;

const noNodes: readonly NodeView[] = [];
const noFlows: readonly FlowFile[] = [];

/** What both palettes share. */
const look = {
  shortcut: null,
  scrollable: true,
  maxHeight: 420,
  highlightQuery: true,
  // The list scrolls, so the keyboard must be able to reach it.
  scrollAreaProps: { viewportProps: { tabIndex: 0 } },
  // It stays where it is while the list below the words grows and shrinks.
  centered: false,
  yOffset: '12vh',
  overlayProps: { backgroundOpacity: 0.35, blur: 0 },
  transitionProps: { duration: 100 },
  classNames: {
    search: styles.search ?? '',
    actionsList: styles.list ?? '',
    actionsGroup: styles.group ?? '',
    action: styles.action ?? '',
    actionDescription: styles.description ?? '',
  },
} as const;

function commandAction(command: Command): SpotlightActionData {
  const keys = command.keys?.[0];
  return {
    id: command.id,
    label: command.title,
    ...(keys && { rightSection: <KeyHint keys={shortcutText(keys, isMac)} /> }),
    onClick: () => command.run(),
  };
}

const commandGroups: SpotlightActionGroupData[] = (['File', 'Edit', 'View', 'Run', 'Help'] as const).map((section) => ({
  group: section,
  actions: studioCommands.filter((command) => command.section === section).map(commandAction),
}));

/** The two palettes: everything that can be done, and every place that can be gone to. */
export function Palettes() {
  return (
    <>
      <Spotlight
        store={paletteStores.commands}
        actions={commandGroups}
        {...look}
        attributes={{ content: { 'aria-label': 'Commands' } }}
        nothingFound="No command of that name."
        searchProps={{ leftSection: searchIcon, placeholder: 'What do you want to do?', 'aria-label': 'Search commands' }}
      />
      <Places />
    </>
  );
}

/** The list is made only for who looks at it: every edit of a large flow would make it anew. */
function Places() {
  const { opened } = useSpotlight(paletteStores.places);
  const nodes = useCurrentFlow((flow) => (opened ? (flow?.view.nodes ?? noNodes) : null));
  const flows = useWorkspace((state) => (opened ? (state.workspace?.flows ?? noFlows) : null));
  // While the palette closes it shows what it had.
  const [groups, setGroups] = useState<SpotlightActionGroupData[]>([]);
  useEffect(() => {
    if (nodes && flows) setGroups(placesOf(nodes, flows));
  }, [nodes, flows]);
  return (
    <Spotlight
      store={paletteStores.places}
      actions={groups}
      {...look}
      attributes={{ content: { 'aria-label': 'Nodes and flows' } }}
      limit={30}
      nothingFound="No node and no flow of that name."
      searchProps={{ leftSection: searchIcon, placeholder: 'Go to a node or flow', 'aria-label': 'Search nodes and flows' }}
    />
  );
}

function placesOf(nodes: readonly NodeView[], flows: readonly FlowFile[]): SpotlightActionGroupData[] {
  return [
    {
      group: 'Nodes',
      actions: nodes.map((node) => ({
        id: `node ${node.key}`,
        label: node.title,
        description: node.id,
        leftSection: <KindChip kind={node.kind} />,
        // What code, prompt or tool does it, can be searched for as well.
        keywords: [node.detail?.text ?? '', ...node.outputs.map((port) => port.state)],
        onClick: () => revealNode(node.key, true),
      })),
    },
    {
      group: 'Flows',
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
