import { IconTerminal2 } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import type { OutputLine, RunView } from '#renderer/runs/model/run-fold.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import styles from './run-output.module.css';
import { RunResult } from './run-result.tsx';
import { texts } from './texts.ts';

interface RunOutputProps {
  readonly view: RunView;
  readonly titles: NodeTitles;
}

function textOf(line: OutputLine): string {
  switch (line.type) {
    case 'log':
      return line.values.map((value) => (typeof value === 'string' ? value : previewOf(value, 400))).join(' ');
    case 'error':
      return line.error.message;
    case 'gap':
      return texts.output.gap(line.from, line.to);
  }
}

function levelOf(line: OutputLine): string {
  return line.type === 'log' ? line.level : line.type === 'error' && line.counted !== false ? 'error' : 'warn';
}

/** The run's result, log output and errors. */
export function RunOutput({ view, titles }: RunOutputProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { lines } = view;
  const rows = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => 22, overscan: 20 });
  useEffect(() => {
    if (lines.length > 0) rows.scrollToIndex(lines.length - 1);
  }, [rows, lines.length]);
  if (lines.length === 0 && view.status === 'success') return <RunResult view={view} />;
  if (lines.length === 0)
    return (
      <EmptyState icon={IconTerminal2} title={texts.output.emptyTitle}>
        <TextWith text={texts.output.empty} parts={{ log: <code>ctx.log()</code> }} />
      </EmptyState>
    );
  return (
    <>
      <RunResult view={view} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      <div ref={scroller} className={styles.scroller} role="log" aria-label={texts.output.label} tabIndex={0}>
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <div
                key={index}
                ref={rows.measureElement}
                data-index={index}
                className={styles.line}
                data-level={levelOf(line)}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={styles.number}>{line.seq}</span>
                <span className={styles.node}>{line.type !== 'gap' && line.node ? titles(line.node) : ''}</span>
                <span className={styles.level}>{levelOf(line)}</span>
                <span className={styles.text}>{textOf(line)}</span>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
