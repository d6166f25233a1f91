import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconFileText, IconSearch } from '@tabler/icons-react';
import { KeyHint } from '#renderer/controls/key-hint.tsx';
import { KindChip } from '#renderer/kinds/kind-chip.tsx';
import { showFlow } from '#renderer/stores/editor.ts';
import { revealNode } from '#renderer/stores/selection.ts';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import type { Command } from './command.ts';
import { paletteStores } from './palette-store.ts';
import { isMac } from './platform.ts';
import { shortcutText } from './shortcut.ts';
import { studioCommands } from './studio-commands.ts';

const searchIcon = <IconSearch size={16} aria-hidden="true" />;

/** The list scrolls, so the keyboard must be able to reach it. */
const scrollArea = { viewportProps: { tabIndex: 0 } };

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
        shortcut={null}
        scrollable
        maxHeight={420}
        scrollAreaProps={scrollArea}
        attributes={{ content: { 'aria-label': 'Commands' } }}
        highlightQuery
        nothingFound="No command of that name."
        searchProps={{ leftSection: searchIcon, placeholder: 'What do you want to do?', 'aria-label': 'Search commands' }}
      />
      <Places />
    </>
  );
}

function Places() {
  const nodes = useCurrentFlow((flow) => flow?.view.nodes ?? null);
  const flows = useWorkspace((state) => state.workspace?.flows ?? null);
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Nodes',
      actions: (nodes ?? []).map((node) => ({
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
      actions: (flows ?? []).map((flow) => ({
        id: `flow ${flow.path}`,
        label: flow.name,
        description: flow.path,
        leftSection: <IconFileText size={16} aria-hidden="true" />,
        onClick: () => void showFlow(flow.path),
      })),
    },
  ];
  return (
    <Spotlight
      store={paletteStores.places}
      actions={groups}
      shortcut={null}
      scrollable
      maxHeight={420}
      scrollAreaProps={scrollArea}
      attributes={{ content: { 'aria-label': 'Nodes and flows' } }}
      limit={60}
      highlightQuery
      nothingFound="No node and no flow of that name."
      searchProps={{ leftSection: searchIcon, placeholder: 'Go to a node or flow', 'aria-label': 'Search nodes and flows' }}
    />
  );
}
