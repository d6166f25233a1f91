import { createStore } from 'zustand/vanilla';
import type { Settings } from '#shared/contract/app.ts';

/** The three panels round the canvas. */
export type PanelName = 'left' | 'right' | 'bottom';
const leftTabs = ['library', 'flows', 'outline'] as const;
const rightTabs = ['waiting', 'node', 'debug', 'flow'] as const;
const bottomTabs = ['timeline', 'state', 'conversation', 'problems', 'output', 'runs', 'compare'] as const;
export type LeftTab = (typeof leftTabs)[number];
export type RightTab = (typeof rightTabs)[number];
export type BottomTab = (typeof bottomTabs)[number];

interface PanelState<Tab extends string> {
  readonly open: boolean;
  /** Width, of the bottom panel height, in pixels. */
  readonly size: number;
  readonly tab: Tab;
}

export interface PanelsState {
  readonly left: PanelState<LeftTab>;
  readonly right: PanelState<RightTab>;
  readonly bottom: PanelState<BottomTab>;
  /** The panels that `toggleAll` has hidden and will show again; empty while none is hidden that way. */
  readonly hidden: readonly PanelName[];
  /** Opens or folds a panel. */
  toggle(panel: PanelName): void;
  /** Hides all open panels, or shows those again that it has hidden: all, if there are none. */
  toggleAll(): void;
  resize(panel: PanelName, size: number): void;
  showLeft(tab: LeftTab): void;
  showRight(tab: RightTab): void;
  showBottom(tab: BottomTab): void;
}

/** Smallest and largest size of each panel; the canvas keeps at least 360 px of width. */
export const panelLimits: Record<PanelName, readonly [smallest: number, largest: number]> = {
  left: [180, 420],
  right: [260, 640],
  bottom: [120, 640],
};

function withinLimits(panel: PanelName, size: number): number {
  const [smallest, largest] = panelLimits[panel];
  return Math.round(Math.min(largest, Math.max(smallest, size)));
}

export const panelNames: readonly PanelName[] = ['left', 'bottom', 'right'];

function withAllToggled(state: PanelsState): Partial<PanelsState> {
  const open = panelNames.filter((name) => state[name].open);
  const hidden = state.hidden.length > 0 ? state.hidden : panelNames;
  const shown = open.length > 0 ? [] : hidden;
  const isShown = (name: PanelName) => shown.includes(name);
  return {
    left: { ...state.left, open: isShown('left') },
    bottom: { ...state.bottom, open: isShown('bottom') },
    right: { ...state.right, open: isShown('right') },
    hidden: open,
  };
}

/** Which panels are open, how large, and which tab they show. */
export const panelsStore = createStore<PanelsState>()((set) => ({
  left: { open: true, size: 228, tab: 'library' },
  right: { open: true, size: 336, tab: 'node' },
  bottom: { open: true, size: 232, tab: 'timeline' },
  hidden: [],
  toggleAll: () => set(withAllToggled),
  toggle: (panel) => set((state) => ({ [panel]: { ...state[panel], open: !state[panel].open } })),
  resize: (panel, size) => set((state) => ({ [panel]: { ...state[panel], size: withinLimits(panel, size) } })),
  showLeft: (tab) => set((state) => ({ left: { ...state.left, open: true, tab } })),
  showRight: (tab) => set((state) => ({ right: { ...state.right, open: true, tab } })),
  showBottom: (tab) => set((state) => ({ bottom: { ...state.bottom, open: true, tab } })),
}));

type KeptPanels = NonNullable<Settings['panels']>;

function restored<Tab extends string>(name: PanelName, kept: KeptPanels[PanelName], tabs: readonly Tab[], now: Tab): PanelState<Tab> {
  const tab = tabs.find((known) => known === kept.tab) ?? now;
  return { open: kept.open, size: withinLimits(name, kept.size), tab };
}

/** Restores the panels of the last session. A tab that no longer exists is ignored. */
export function restorePanels({ left, right, bottom }: KeptPanels): void {
  panelsStore.setState((now) => ({
    left: restored('left', left, leftTabs, now.left.tab),
    right: restored('right', right, rightTabs, now.right.tab),
    // A comparison is not saved.
    bottom: restored(
      'bottom',
      bottom,
      bottomTabs.filter((tab) => tab !== 'compare'),
      now.bottom.tab,
    ),
  }));
}

/** The panels in the format of the settings. */
export function panelsNow({ left, right, bottom }: PanelsState): KeptPanels {
  return { left, right, bottom };
}
