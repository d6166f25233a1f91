import { createStore } from 'zustand/vanilla';

/** The three panels round the canvas. */
export type PanelName = 'left' | 'right' | 'bottom';
export type LeftTab = 'library' | 'flows' | 'outline';
export type RightTab = 'waiting' | 'node' | 'flow';
export type BottomTab = 'timeline' | 'state' | 'conversation' | 'problems' | 'output' | 'compare';

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
  /** Opens or folds a panel. */
  toggle(panel: PanelName): void;
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

/** Which panels are open, how large, and which tab they show. */
export const panelsStore = createStore<PanelsState>()((set) => ({
  left: { open: true, size: 228, tab: 'library' },
  right: { open: true, size: 336, tab: 'node' },
  bottom: { open: true, size: 232, tab: 'timeline' },
  toggle: (panel) => set((state) => ({ [panel]: { ...state[panel], open: !state[panel].open } })),
  resize: (panel, size) =>
    set((state) => {
      const [smallest, largest] = panelLimits[panel];
      return { [panel]: { ...state[panel], size: Math.round(Math.min(largest, Math.max(smallest, size))) } };
    }),
  showLeft: (tab) => set((state) => ({ left: { ...state.left, open: true, tab } })),
  showRight: (tab) => set((state) => ({ right: { ...state.right, open: true, tab } })),
  showBottom: (tab) => set((state) => ({ bottom: { ...state.bottom, open: true, tab } })),
}));
