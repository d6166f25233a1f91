import { useMemo } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { useReading } from '#renderer/runs/iterations/use-reading.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { plotLines } from './plot-lines.ts';
import { texts } from './texts.ts';
import styles from './watch-plot.module.css';

const width = 300;
const height = 44;

/** A watch over the whole run, with the shown step marked. A click goes to the step there. */
export function WatchPlot({ expression }: { expression: string }) {
  const run_id = useRunSession((state) => state.view?.run_id ?? null);
  const last = useRunSession((state) => state.view?.seq ?? 0);
  // A run that moves is read again when it stops.
  const version = useRunSession(({ view }) => (view ? `${view.status === 'running' ? 'running' : view.seq}` : ''));
  const selected = useRunSession((state) => state.selected);
  const answer = useReading({ run_id, expression }, version, async (input) =>
    input.run_id === null ? [] : studio.debug.plot({ run_id: input.run_id, expression: input.expression }),
  );
  const points = answer?.input.run_id === run_id ? answer.output : null;
  const plot = useMemo(() => points && plotLines(points, last, { width, height }), [points, last]);
  if (answer?.failure) return <p className={styles.note}>{answer.failure.message}</p>;
  if (!plot) return <div className={styles.plot} aria-busy="true" />;
  if (plot.lines.length === 0) return <p className={styles.note}>{texts.nothingToPlot}</p>;
  const at = ((selected ?? last) / Math.max(1, last)) * width;
  return (
    <figure className={styles.figure}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard goes through the steps in the timeline */}
      <svg
        className={styles.plot}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.plotOf(expression, plot.least, plot.most, last)}
        onClick={(event) => {
          const { left, width: drawn } = event.currentTarget.getBoundingClientRect();
          runSessionStore.getState().select(Math.round(((event.clientX - left) / drawn) * last));
        }}
      >
        <line className={styles.now} x1={at} x2={at} y1={0} y2={height} />
        {plot.lines.map((line) => (
          <polyline key={line} className={styles.line} points={line} />
        ))}
      </svg>
      <figcaption className={styles.range}>
        <span>{texts.range(plot.least, plot.most)}</span>
      </figcaption>
    </figure>
  );
}
