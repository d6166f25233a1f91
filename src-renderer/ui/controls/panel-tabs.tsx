import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './panel-tabs.module.css';

export interface PanelTab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Shown in a small pill; left out when undefined. */
  readonly count?: number;
  readonly content: ReactNode;
}

interface PanelTabsProps<Id extends string> {
  /** Name of the tab list for screen readers. */
  readonly label: string;
  readonly tabs: readonly PanelTab<Id>[];
  readonly current: Id;
  onSelect(id: Id): void;
  /** Content at the right end of the bar. */
  readonly trailing?: ReactNode;
}

/** The tab bar of a panel with the current tab's content below it. Arrow keys, Home and End move between tabs. */
export function PanelTabs<Id extends string>({ label, tabs, current, onSelect, trailing }: PanelTabsProps<Id>) {
  const prefix = useId();
  const shown = tabs.find((tab) => tab.id === current) ?? tabs[0];
  const list = useRef<HTMLDivElement>(null);
  const shownId = shown?.id;
  // If not all tabs fit, scroll the current one into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs for another current tab
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shownId]);
  if (!shown) return null;

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const index = tabs.findIndex((tab) => tab.id === shown?.id);
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (target === undefined) return;
    const next = tabs[(target + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    document.getElementById(`${prefix}-tab-${next.id}`)?.focus();
  }

  return (
    <>
      <div className={styles.bar}>
        <div ref={list} className={styles.list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              id={`${prefix}-tab-${tab.id}`}
              type="button"
              role="tab"
              className={styles.tab}
              aria-selected={tab.id === shown.id}
              aria-controls={tab.id === shown.id ? `${prefix}-panel` : undefined}
              tabIndex={tab.id === shown.id ? 0 : -1}
              onClick={() => onSelect(tab.id)}
            >
              {tab.label}
              {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
            </button>
          ))}
        </div>
        {trailing && <div className={styles.trailing}>{trailing}</div>}
      </div>
      <div
        id={`${prefix}-panel`}
        role="tabpanel"
        aria-labelledby={`${prefix}-tab-${shown.id}`}
        style={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
      >
        {shown.content}
      </div>
    </>
  );
}
