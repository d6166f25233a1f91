import { createStore } from 'zustand/vanilla';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { type Region, regionGroup, regionOfGroup, regionsOf } from '#renderer/document/graph/regions.ts';
import type { LayoutGroup } from '#shared/flow/layout/layout.ts';

/** Keys of the folded regions of each open flow, by its path. They are part of the view, not of the flow: a workflow's file is not ours to write. */
export const foldedRegionsStore = createStore<Readonly<Record<string, ReadonlySet<string>>>>()(() => ({}));

/** Folds the region of a group into a card, or unfolds it. */
export function foldRegion(path: string, group: string, folded: boolean): void {
  foldedRegionsStore.setState((all) => {
    const keys = new Set(all[path]);
    const key = regionOfGroup(group);
    if (folded) keys.add(key);
    else keys.delete(key);
    return { [path]: keys };
  });
}

/** Regions as groups, which fold into cards. */
export function regionGroups(regions: readonly Region[], folded: ReadonlySet<string> = new Set()): LayoutGroup[] {
  return regions.map(({ key, name, nodes }) => ({
    id: regionGroup(key),
    title: name,
    colour: 'blue',
    nodes: [...nodes],
    folded: folded.has(key),
  }));
}

/** All groups of a flow: the user's own, and the regions of an imported workflow. */
export function groupsOf({ path, readable, view, extras }: OpenFlow): readonly LayoutGroup[] {
  const regions = readable ? regionsOf(readable, view) : [];
  const own = extras.groups ?? [];
  return regions.length === 0 ? own : [...own, ...regionGroups(regions, foldedRegionsStore.getState()[path])];
}
