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

/** Outline of a node's card. Together with the icon it tells the kinds apart without colour. */
export type CardShape = 'plain' | 'pointed' | 'split' | 'merged' | 'double' | 'dashed';

/** How a kind of node looks and is found. */
export interface KindLook {
  readonly label: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What other tools call it: found by these words too. */
  readonly words: string;
  /** Key of quick add. */
  readonly letter: string;
  readonly icon: Icon;
  readonly shape: CardShape;
}

export const kindLooks: Record<NodeKind, KindLook> = {
  work: {
    label: 'Work',
    summary: 'Turns one state into another',
    words: 'step task action transform',
    letter: 'W',
    icon: IconArrowsLeftRight,
    shape: 'plain',
  },
  either: {
    label: 'Either',
    summary: 'Goes one of two ways',
    words: 'if else switch case branch route router condition decision',
    letter: 'E',
    icon: IconArrowsSplit2,
    shape: 'pointed',
  },
  fork: {
    label: 'Fork',
    summary: 'Produces several states at once',
    words: 'parallel split concurrent',
    letter: 'F',
    icon: IconGitFork,
    shape: 'split',
  },
  join: {
    label: 'Join',
    summary: 'Waits for two states and makes one',
    words: 'merge combine sync wait all gather',
    letter: 'J',
    icon: IconGitMerge,
    shape: 'merged',
  },
  agent: {
    label: 'Agent',
    summary: 'A model with tools',
    words: 'llm gpt ai prompt chat model assistant',
    letter: 'A',
    icon: IconRobot,
    shape: 'plain',
  },
  suspend: {
    label: 'Suspend',
    summary: 'Waits for a person',
    words: 'human approval approve review form ask question input pause',
    letter: 'S',
    icon: IconHandStop,
    shape: 'dashed',
  },
  flow: {
    label: 'Nested flow',
    summary: 'Runs another flow once',
    words: 'subflow subgraph call include reuse',
    letter: 'L',
    icon: IconSitemap,
    shape: 'double',
  },
  each: {
    label: 'For each',
    summary: 'Runs a flow for every item of a list',
    words: 'loop foreach map iterate iteration repeat list',
    letter: 'I',
    icon: IconRepeat,
    shape: 'double',
  },
};

/** The kinds in the order of the library. */
export const libraryKinds: readonly NodeKind[] = ['work', 'either', 'fork', 'join', 'agent', 'suspend', 'flow', 'each'];
