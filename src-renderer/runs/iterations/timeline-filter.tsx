import { ActionIcon, Pill, Popover, Select } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { filterTimeline, type TimelineFilter, timelineFilterStore } from '#renderer/runs/model/timeline-filter.ts';
import { texts } from './texts.ts';
import styles from './timeline-filter.module.css';

/** The filter of a run's timeline; null while it shows every step. */
export function useTimelineFilter(view: RunView): TimelineFilter | null {
  const filter = useStore(timelineFilterStore, (state) => state.filter);
  return filter?.flow_path === view.flow_path ? filter : null;
}

/** Limits the timeline to one of the nodes that have run. */
export function FilterButton({ view, titles }: { view: RunView; titles: NodeTitles }) {
  const [open, setOpen] = useState(false);
  const data = open ? Object.keys(view.tallies).map((node) => ({ value: node, label: titles(node) })) : [];
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size={24} aria-label={texts.filter} title={texts.filter} aria-expanded={open} onClick={() => setOpen(!open)}>
          <IconFilter size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={texts.filter}>
        <Select
          size="xs"
          w={220}
          searchable
          limit={50}
          defaultDropdownOpened
          aria-label={texts.filterNode}
          placeholder={texts.filterNode}
          nothingFoundMessage={texts.noSuchNode}
          comboboxProps={{ withinPortal: false }}
          data={data}
          onChange={(node) => {
            if (node !== null) filterTimeline({ flow_path: view.flow_path, node, nested: false });
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The node to which the timeline is limited, with a button that removes the limit. */
export function FilterChip({ title }: { title: string }) {
  return (
    <div className={styles.strip}>
      <Pill
        className={styles.chip ?? ''}
        withRemoveButton
        onRemove={() => filterTimeline(null)}
        removeButtonProps={{ 'aria-label': texts.removeFilter, 'aria-hidden': false, tabIndex: 0, title: texts.removeFilter }}
      >
        {texts.only(title)}
      </Pill>
    </div>
  );
}
