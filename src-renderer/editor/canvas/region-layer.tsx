import { ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { regionsOf } from '#renderer/document/graph/regions.ts';
import { regionFrames } from '#renderer/document/layout/region-frames.ts';
import styles from './region-layer.module.css';
import { texts } from './texts.ts';

/** Frames behind the cards around the parallel regions and loops of a PyFlow workflow. */
export const RegionLayer = memo(function RegionLayer({ view, positions }: Pick<DrawnFlow, 'view' | 'positions'>) {
  const readable = useCurrentFlow((flow) => flow?.readable ?? null);
  const regions = useMemo(() => (readable ? regionsOf(readable, view) : []), [readable, view]);
  const framed = useMemo(
    () => regions.map((region) => ({ region, frames: regionFrames(region, view, positions) })),
    [regions, view, positions],
  );
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
            aria-hidden={index > 0}
          >
            {index === 0 && <span className={styles.title}>{texts.region[region.type](region.name)}</span>}
          </div>
        )),
      )}
    </ViewportPortal>
  );
});
