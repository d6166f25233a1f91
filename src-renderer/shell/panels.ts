import { createStore } from 'zustand/vanilla';
import type { Settings } from '#shared/contract/app.ts';

/** The three panels round the canvas. */
export type PanelName = 'left' | 'right' | 'bottom';
const leftTabs = ['library', 'flows', 'outline', 'conversations'] as const;
const rightTabs = ['waiting', 'node', 'debug', 'flow', 'chat'] as const;
const bottomTabs = ['timeline', 'state', 'conversation', 'problems', 'output', 'runs', 'compare', 'matrix'] as const;
export type LeftTab = (typeof leftTabs)[number];
export type RightTab = (typeof rightTabs)[number];
export type BottomTab = (typeof bottomTabs)[number];

interface PanelState<Tab extends string> {
  readonly open: boolean;
  /** Width, of the bottom panel height, in pixels. */
  readonly size: number;
  readonly tab: Tab;
}

/** What a small window leaves no room for. */
export interface Room {
  /** The side panels lie over the canvas, one at a time. */
  readonly narrow: boolean;
  /** The bottom panel opens only when the user asks for it. */
  readonly low: boolean;
}

export interface PanelsState {
  readonly left: PanelState<LeftTab>;
  readonly right: PanelState<RightTab>;
  readonly bottom: PanelState<BottomTab>;
  readonly room: Room;
  /** The panels that are open in a small window. The `open` of a panel is for windows with enough room. */
  readonly small: { readonly side: 'left' | 'right' | null; readonly bottom: boolean };
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
  /** As `showRight`, but does not lay a closed panel over the canvas: the user asked for something else. */
  offerRight(tab: RightTab): void;
  /** As `showBottom`, but does not open the panel in a low window. */
  offerBottom(tab: BottomTab): void;
  /** Takes over the size of the window. Panels over the canvas close when it changes. */
  setRoom(room: Room): void;
}

/** Smallest and largest size of each panel; the shell keeps at least 320 × 200 px for the canvas. */
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

/** Whether a panel lies over the canvas when it is open. */
export function liesOver({ room }: PanelsState, panel: PanelName): boolean {
  return room.narrow && panel !== 'bottom';
}

/** Whether a panel is visible in the window as it is. */
export function isPanelOpen(state: PanelsState, panel: PanelName): boolean {
  if (liesOver(state, panel)) return state.small.side === panel;
  return panel === 'bottom' && state.room.low ? state.small.bottom : state[panel].open;
}

function withOpen(state: PanelsState, panel: PanelName, open: boolean): PanelsState {
  if (panel === 'bottom') {
    return state.room.low ? { ...state, small: { ...state.small, bottom: open } } : { ...state, bottom: { ...state.bottom, open } };
  }
  if (!state.room.narrow) return { ...state, [panel]: { ...state[panel], open } };
  if (!open && state.small.side !== panel) return state;
  return { ...state, small: { ...state.small, side: open ? panel : null } };
}

function withAllToggled(state: PanelsState): PanelsState {
  const open = panelNames.filter((name) => isPanelOpen(state, name));
  const hidden = state.hidden.length > 0 ? state.hidden : panelNames;
  const shown = open.length > 0 ? [] : hidden;
  return { ...panelNames.reduce((now, name) => withOpen(now, name, shown.includes(name)), state), hidden: open };
}

/** Which panels are open, how large, and which tab they show. */
export const panelsStore = createStore<PanelsState>()((set) => ({
  left: { open: true, size: 228, tab: 'library' },
  right: { open: true, size: 336, tab: 'node' },
  bottom: { open: true, size: 232, tab: 'timeline' },
  room: { narrow: false, low: false },
  small: { side: null, bottom: false },
  hidden: [],
  toggleAll: () => set(withAllToggled),
  toggle: (panel) => set((state) => withOpen(state, panel, !isPanelOpen(state, panel))),
  resize: (panel, size) => set((state) => ({ [panel]: { ...state[panel], size: withinLimits(panel, size) } })),
  showLeft: (tab) => set((state) => withOpen({ ...state, left: { ...state.left, tab } }, 'left', true)),
  showRight: (tab) => set((state) => withOpen({ ...state, right: { ...state.right, tab } }, 'right', true)),
  showBottom: (tab) => set((state) => withOpen({ ...state, bottom: { ...state.bottom, tab } }, 'bottom', true)),
  offerRight: (tab) =>
    set((state) => {
      const next = { ...state, right: { ...state.right, tab } };
      return state.room.narrow ? next : withOpen(next, 'right', true);
    }),
  offerBottom: (tab) =>
    set((state) => {
      const next = { ...state, bottom: { ...state.bottom, tab } };
      return state.room.low ? next : withOpen(next, 'bottom', true);
    }),
  setRoom: (room) =>
    set((state) => ({
      room,
      small: {
        side: room.narrow === state.room.narrow ? state.small.side : null,
        bottom: room.low === state.room.low && state.small.bottom,
      },
    })),
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
      bottomTabs.filter((tab) => tab !== 'compare' && tab !== 'matrix'),
      now.bottom.tab,
    ),
  }));
}

/** The panels in the format of the settings. */
export function panelsNow({ left, right, bottom }: PanelsState): KeptPanels {
  return { left, right, bottom };
}
