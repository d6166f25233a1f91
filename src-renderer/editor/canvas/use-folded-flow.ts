import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { foldedRegionsStore, regionGroups } from '#renderer/document/flows/folded-regions.ts';
import { useFlowFields } from '#renderer/document/flows/use-current-flow.ts';
import { type Region, regionsOf } from '#renderer/document/graph/regions.ts';
import { type FoldedView, foldGroups } from '#renderer/document/layout/groups.ts';
import { texts } from './texts.ts';

/** The shown flow, with each folded group and region as one card, and the regions that are drawn as frames. */
export interface ShownFlow {
  readonly flow: DrawnFlow;
  readonly regions: readonly Region[];
}

/** The shown flow as the canvas draws it; null if none is open. */
export function useFoldedFlow(): ShownFlow | null {
  const open = useFlowFields('path', 'view', 'positions', 'arranged', 'extras', 'code', 'readable');
  const foldedKeys = useStore(foldedRegionsStore, (all) => all[open?.path ?? '']);
  const { view, positions, extras, readable } = open ?? {};
  const own = extras?.groups;
  const all = useMemo(() => (readable && view ? regionsOf(readable, view) : []), [readable, view]);
  const folded = useMemo(() => {
    const groups = all.length === 0 ? own : [...(own ?? []), ...regionGroups(all, foldedKeys)];
    return view && positions && groups ? foldGroups(view, positions, groups, texts.groups.nodes) : null;
  }, [view, positions, own, all, foldedKeys]);
  const regions = useMemo(() => (folded ? framedRegions(all, folded) : all), [all, folded]);
  return useMemo(() => open && { flow: folded ? { ...open, ...folded } : open, regions }, [open, folded, regions]);
}

/** The regions that are not folded themselves, nor part of a folded one; of folded ones within them, their cards. */
function framedRegions(regions: readonly Region[], { cardOf }: FoldedView): readonly Region[] {
  if (cardOf.size === 0) return regions;
  return regions.flatMap((region) => {
    const nodes = [...new Set(region.nodes.map((key) => cardOf.get(key) ?? key))];
    const isHidden = nodes.length === 1 && nodes[0] !== region.nodes[0];
    return isHidden ? [] : [{ ...region, nodes }];
  });
}
