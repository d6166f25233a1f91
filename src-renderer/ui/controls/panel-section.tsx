import { type ReactNode, useId } from 'react';
import styles from './panel-section.module.css';

interface PanelSectionProps {
  readonly title: string;
  /** Shown in a small pill. */
  readonly count?: number;
  /** Text or buttons at the right end of the heading. */
  readonly trailing?: ReactNode;
  readonly children: ReactNode;
}

/** A headed part of a side panel. */
export function PanelSection({ title, count, trailing, children }: PanelSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.heading}>
        <h3 id={id} className={styles.title}>
          {title}
        </h3>
        {count !== undefined && <span className={styles.count}>{count}</span>}
        <span className={styles.trailing}>{trailing}</span>
      </div>
      {children}
    </section>
  );
}

/** What a part without content says. */
export function EmptyPart({ children }: { children: ReactNode }) {
  return <p className={styles.empty}>{children}</p>;
}
