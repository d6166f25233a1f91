import {
  type Icon,
  IconArrowsLeftRight,
  IconArrowsSplit2,
  IconGitFork,
  IconGitMerge,
  IconHandStop,
  IconRepeat,
  IconRobot,
  IconSitemap,
} from '@tabler/icons-react';
import type { NodeKind } from '#shared/flow/document.ts';

/** Outline of a node's card. Together with the icon it distinguishes the kinds without colour. */
export type CardShape = 'plain' | 'pointed' | 'split' | 'merged' | 'double' | 'dashed';

/** The name, icon and shape of a kind of node, and its search terms. */
export interface KindLook {
  /** Name on screen. */
  readonly label: string;
  /** The word of flow files if it differs from the label; shown beside the label. */
  readonly formatName: string | null;
  /** What it does, in one line. */
  readonly summary: string;
  /** Further search terms, separated by spaces: names in flow files and in other tools. */
  readonly words: string;
  /** Key of quick add. */
  readonly letter: string;
  readonly icon: Icon;
  readonly shape: CardShape;
}

export const kindLooks: Record<NodeKind, KindLook> = {
  work: {
    label: 'Step',
    formatName: 'work',
    summary: 'Turns one state into another',
    words: 'work task action transform',
    letter: 'W',
    icon: IconArrowsLeftRight,
    shape: 'plain',
  },
  either: {
    label: 'Branch',
    formatName: 'either',
    summary: 'Takes one of two branches',
    words: 'either if else switch case route router condition decision',
    letter: 'E',
    icon: IconArrowsSplit2,
    shape: 'pointed',
  },
  fork: {
    label: 'Fork',
    formatName: null,
    summary: 'Produces several states at once',
    words: 'parallel split concurrent',
    letter: 'F',
    icon: IconGitFork,
    shape: 'split',
  },
  join: {
    label: 'Join',
    formatName: null,
    summary: 'Waits for two states and makes one',
    words: 'merge combine sync wait all gather',
    letter: 'J',
    icon: IconGitMerge,
    shape: 'merged',
  },
  agent: {
    label: 'Agent',
    formatName: null,
    summary: 'A model with tools',
    words: 'llm gpt ai prompt chat model assistant',
    letter: 'A',
    icon: IconRobot,
    shape: 'plain',
  },
  suspend: {
    label: 'Wait for input',
    formatName: 'suspend',
    summary: 'Waits for the user',
    words: 'suspend human approval approve review form ask question input pause',
    letter: 'S',
    icon: IconHandStop,
    shape: 'dashed',
  },
  flow: {
    label: 'Nested flow',
    formatName: 'flow',
    summary: 'Runs another flow once',
    words: 'flow subflow subgraph call include reuse',
    letter: 'L',
    icon: IconSitemap,
    shape: 'double',
  },
  each: {
    label: 'For each',
    formatName: 'each',
    summary: 'Runs a flow for every item of a list',
    words: 'each loop foreach map iterate iteration repeat list',
    letter: 'I',
    icon: IconRepeat,
    shape: 'double',
  },
};

/** The kinds in the order of the library. */
export const libraryKinds: readonly NodeKind[] = Object.keys(kindLooks) as NodeKind[];
