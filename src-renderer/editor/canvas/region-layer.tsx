import { IconFoldDown } from '@tabler/icons-react';
import { ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { type Region, regionGroup } from '#renderer/document/graph/regions.ts';
import { regionDepths } from '#renderer/document/layout/region-depths.ts';
import { regionFrames } from '#renderer/document/layout/region-frames.ts';
import { changeGroup } from '#renderer/editor/actions/note-actions.ts';
import styles from './region-layer.module.css';
import { texts } from './texts.ts';

type RegionLayerProps = Pick<DrawnFlow, 'view' | 'positions'> & { readonly regions: readonly Region[] };

/** Frames behind the cards around the regions of a PyFlow workflow. A click on a title folds its region into a card. */
export const RegionLayer = memo(function RegionLayer({ regions, view, positions }: RegionLayerProps) {
  const framed = useMemo(() => {
    const depths = regionDepths(regions);
    return regions.map((region) => ({ region, frames: regionFrames(region, view, positions, depths.get(region.key)) }));
  }, [regions, view, positions]);
  if (regions.length === 0) return null;
  return (
    <ViewportPortal>
      {framed.map(({ region, frames }) =>
        frames.map(({ x, y, width, height }, index) => (
          <div
            key={`${region.key} ${x} ${y}`}
            className={styles.region}
            data-region={region.type}
            style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
          >
            {index === 0 && <RegionTitle region={region} />}
          </div>
        )),
      )}
    </ViewportPortal>
  );
});

function RegionTitle({ region: { key, type, name } }: { region: Region }) {
  return (
    <button
      type="button"
      className={`${styles.title} nopan nodrag`}
      title={texts.groups.fold(name)}
      aria-label={texts.groups.fold(name)}
      onClick={() => changeGroup(regionGroup(key), { folded: true })}
    >
      <IconFoldDown size={12} aria-hidden="true" />
      {texts.region[type](name)}
    </button>
  );
}
