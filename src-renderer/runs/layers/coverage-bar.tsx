import { ActionIcon, Button, CloseButton, Popover, SegmentedControl } from '@mantine/core';
import { IconListSearch, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { modelsStore } from '#renderer/workspace/models/models.ts';
import type { Uncovered } from '#shared/contract/coverage.ts';
import styles from './coverage-bar.module.css';
import { type HeatKind, heatKinds, summaryText } from './coverage-layer.ts';
import { countAgain, coverageStore, hideLayer, showLayer } from './coverage-store.ts';
import { texts } from './texts.ts';

interface CoverageBarProps {
  /** Goes to a node of the shown flow, by its id. */
  onShow(node: string): void;
}

/** The line above the canvas while a layer of runs is shown. */
export function CoverageBar({ onShow }: CoverageBarProps) {
  const { kind, coverage, reading, failure } = useStore(coverageStore, (state) => state);
  const prices = useStore(modelsStore, (state) => state.overview?.prices);
  if (kind === null) return null;
  return (
    <div className={styles.bar} role="toolbar" aria-label={texts.label}>
      <SegmentedControl
        size="xs"
        aria-label={texts.label}
        data={heatKinds.map((value) => ({ value, label: texts.kinds[value] }))}
        value={kind}
        onChange={(value) => void showLayer(value as HeatKind)}
      />
      <span className={styles.summary} data-failed={failure !== null}>
        {failure ?? (coverage ? summaryText(coverage, kind, prices ?? {}) : texts.reading)}
        {coverage && coverage.left_out > 0 && ` ${texts.leftOut(coverage.left_out)}`}
      </span>
      {coverage && kind === 'coverage' && coverage.uncovered.length > 0 && <NeverTaken uncovered={coverage.uncovered} onShow={onShow} />}
      <ActionIcon size={24} ml="auto" aria-label={texts.refresh} title={texts.refresh} loading={reading} onClick={() => void countAgain()}>
        <IconRefresh size={14} />
      </ActionIcon>
      <CloseButton size="sm" aria-label={texts.close} title={texts.close} onClick={hideLayer} />
    </div>
  );
}

function NeverTaken({ uncovered, onShow }: { uncovered: readonly Uncovered[]; onShow(node: string): void }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" shadow="md" width={420} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" size="compact-xs" leftSection={<IconListSearch size={14} />} onClick={() => setOpen(!open)}>
          {texts.never(uncovered.length)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={texts.neverList}>
        <ul className={styles.never} aria-label={texts.neverList}>
          {uncovered.map((each) => (
            <li key={`${each.node} ${each.state}`}>
              <button type="button" className={styles.target} onClick={() => onShow(each.node)}>
                <span className={styles.name}>{each.state === null ? each.title : texts.branch(each.title, each.state)}</span>
                <span className={styles.route}>{routeText(each)}</span>
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function routeText({ route, marking }: Uncovered): string {
  if (route === null) return texts.noRoute;
  const steps = route.map(({ node, branch }) => (branch === undefined ? node : texts.branch(node, branch)));
  return `${steps.length === 0 ? texts.fromStart : texts.after(steps.join(', '))}; ${texts.waiting(marking.join(', '))}`;
}
