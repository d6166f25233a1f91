import { IconChevronRight, IconPlayerPlayFilled } from '@tabler/icons-react';
import { studio } from '#renderer/api/studio.ts';
import { showFrame } from '#renderer/runs/breakpoints/show-frame.ts';
import { useReading } from '#renderer/runs/iterations/use-reading.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { EmptyPart, PanelSection } from '#renderer/ui/controls/panel-section.tsx';
import { type Frame, toolText } from '#shared/run/stop.ts';
import styles from './debug-panel.module.css';
import { texts } from './texts.ts';

/** Where the shown run is, innermost frame first. */
export function CallStack() {
  const run_id = useRunSession((state) => state.view?.run_id ?? null);
  const version = useRunSession(({ view }) => (view ? `${view.seq} ${view.status}` : ''));
  const selected = useRunSession((state) => state.selected);
  const held = useRunSession(({ view, selected: past }) => (past === null && view?.stop?.point === 'hold' ? view.stop.place : null));
  const answer = useReading({ run_id, selected }, version, async ({ run_id: id, selected: seq }) =>
    id === null ? [] : studio.runs.frames({ run_id: id, ...(seq !== null && { seq }) }),
  );
  if (run_id === null || answer === null || answer.input.run_id !== run_id) return null;
  // A run that is held inside a step is further than its record.
  const frames = held ?? answer.output ?? [];
  return (
    <PanelSection title={texts.stack} {...(frames.length > 0 && { trailing: texts.frames(frames.length) })}>
      {answer.failure ? (
        <EmptyPart>{texts.stackFailed(answer.failure.message)}</EmptyPart>
      ) : frames.length === 0 ? (
        <EmptyPart>{texts.ended}</EmptyPart>
      ) : (
        <ul className={styles.rows} aria-label={texts.stack}>
          {frames.map((_, index) => {
            const upTo = frames.slice(0, frames.length - index);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a frame is its depth
              <li key={index}>
                <FrameRow frames={upTo} innermost={index === 0} />
              </li>
            );
          })}
        </ul>
      )}
    </PanelSection>
  );
}

function FrameRow({ frames, innermost }: { frames: readonly Frame[]; innermost: boolean }) {
  const frame = frames.at(-1);
  const around = frames.at(-2);
  if (!frame) return null;
  const where = [
    around?.item && `in ${texts.item(around.item.index, around.item.of)}`,
    around?.call && texts.calledBy(around.title),
    frame.turn !== undefined && texts.turn(frame.turn),
    frame.call && toolText(frame.call.tool),
  ].filter(Boolean);
  const Icon = innermost ? IconPlayerPlayFilled : IconChevronRight;
  return (
    <button type="button" className={styles.frame} aria-current={innermost} onClick={() => void showFrame(frames)}>
      <Icon size={12} aria-hidden="true" />
      <span className={styles.name} title={frame.node}>
        {frame.title}
      </span>
      <span className={styles.where}>{where.join(' · ')}</span>
      <span className={styles.file}>{frame.flow}</span>
    </button>
  );
}
