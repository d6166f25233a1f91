import { CloseButton, Loader } from '@mantine/core';
import { useStore } from 'zustand';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { StripButton } from '#renderer/ui/controls/strip-button.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { closeComparison, comparisonStore, lineOf, type ShownComparison, showLine } from './comparison.ts';
import styles from './comparison-panel.module.css';
import { ComparisonTable } from './comparison-table.tsx';
import { StepDifferences } from './step-differences.tsx';
import { texts } from './texts.ts';

/** Two runs side by side: their steps aligned, the first difference, and the differences of the selected step. */
export function ComparisonPanel({ titles }: { titles: NodeTitles }) {
  const comparison = useStore(comparisonStore, (state) => state.comparison);
  if (!comparison) return null;
  const { run_id, other_run_id, whole, line, differences, failure } = comparison;
  const names = [shortRunName(run_id), shortRunName(other_run_id)] as const;
  const step = line === null ? null : lineOf(comparison, line);
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <span className={styles.verdict}>{whole ? verdict(whole, names) : texts.compare.comparing(names)}</span>
        {whole?.first_divergence != null && (
          <StripButton onClick={() => void showLine(whole.first_divergence ?? 0)}>{texts.compare.goToFirst}</StripButton>
        )}
        <CloseButton size="sm" ml="auto" aria-label={texts.compare.close} onClick={closeComparison} />
      </div>
      {failure && <FailureText failure={failure} />}
      {!whole && !failure && <Loader size="sm" m="md" role="img" aria-label={texts.compare.loading} />}
      {whole && (
        <div className={styles.split}>
          <ComparisonTable comparison={comparison} whole={whole} titles={titles} names={names} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
          {/* biome-ignore lint/a11y/useSemanticElements: a <section> per table would clutter the list of landmarks */}
          <div className={styles.differences} role="group" aria-label={texts.compare.differences} tabIndex={0}>
            {step && differences ? (
              <StepDifferences key={line} step={step} differences={differences} names={names} />
            ) : (
              <p className={styles.hint}>{line === null ? texts.compare.selectStep : texts.compare.reading}</p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

function verdict({ shared, differing, total, first_divergence }: NonNullable<ShownComparison['whole']>, names: readonly string[]): string {
  return texts.compare.verdict(names, shared?.seq ?? 0, differing, total, first_divergence);
}
