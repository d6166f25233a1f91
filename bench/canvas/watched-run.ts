import type { Page } from '@playwright/test';

/** What a run does to the page that shows it. */
export interface WatchedRun {
  /** Intervals between frames while it is shown as running, in milliseconds, from the shortest. */
  readonly intervals: readonly number[];
  /** How long it is shown as running, in milliseconds. */
  readonly duration: number;
}

/** Runs the flow that is open in the studio, with all panels and the canvas at 100 %, and measures the intervals between frames until it succeeds. */
export async function watchedRun(page: Page): Promise<WatchedRun> {
  await page.locator('[data-canvas]').focus();
  await page.keyboard.press('Control+0');
  await page.keyboard.press('F5');
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).waitFor();
  await page.waitForTimeout(700);
  const measured = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        const status = () => document.querySelector<HTMLElement>('button [data-status]')?.dataset.status;
        const tick = () => {
          if (times.length > 0 || status() === 'running') times.push(performance.now());
          if (status() !== 'success') return requestAnimationFrame(tick);
          return resolve(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
        };
        requestAnimationFrame(tick);
      }),
  );
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  const intervals = await measured;
  return {
    intervals: [...intervals].sort((one, other) => one - other),
    duration: intervals.reduce((sum, interval) => sum + interval, 0),
  };
}

/** The 95th percentile of a sorted list. */
export const p95 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
