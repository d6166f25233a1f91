import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { CanvasLayer } from '#renderer/runs/model/canvas-layer.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { loadModels, modelsStore } from '#renderer/workspace/models/models.ts';
import type { Coverage } from '#shared/contract/coverage.ts';
import { coverageLayer, type HeatKind, summaryText } from './coverage-layer.ts';
import { texts } from './texts.ts';

export interface CoverageState {
  /** The chosen layer; null: none. */
  readonly kind: HeatKind | null;
  /** The counts of the shown flow; null until they have loaded. */
  readonly coverage: (Coverage & { readonly left_out: number }) | null;
  readonly reading: boolean;
  readonly failure: string | null;
}

/** The layer of what runs took of the shown flow. */
export const coverageStore = createStore<CoverageState>()(() => ({ kind: null, coverage: null, reading: false, failure: null }));

let drawn: { readonly from: CoverageState; readonly prices: unknown; readonly layer: CanvasLayer } | null = null;

/** Returns the chosen layer if its counts are those of this flow. */
export function coverageLayerOf(path: string | undefined): CanvasLayer | null {
  const state = coverageStore.getState();
  const { kind, coverage } = state;
  if (kind === null || !coverage || coverage.flow !== path) return null;
  const prices = modelsStore.getState().overview?.prices ?? {};
  if (drawn?.from !== state || drawn.prices !== prices) drawn = { from: state, prices, layer: coverageLayer(coverage, kind, prices) };
  return drawn.layer;
}

/** Shows a layer over the canvas; the same one again hides it. */
export async function toggleLayer(kind: HeatKind): Promise<void> {
  if (coverageStore.getState().kind === kind) return hideLayer();
  await showLayer(kind);
}

export async function showLayer(kind: HeatKind): Promise<void> {
  const flow = runSubjectStore.getState().flow;
  if (!flow) return announce(texts.noFlow);
  coverageStore.setState({ kind });
  if (!modelsStore.getState().overview) void loadModels();
  if (coverageStore.getState().coverage?.flow !== flow.path) await countAgain();
  const { coverage } = coverageStore.getState();
  if (coverage) announce(summaryText(coverage, kind, modelsStore.getState().overview?.prices ?? {}));
}

export function hideLayer(): void {
  coverageStore.setState({ kind: null, coverage: null, failure: null });
}

/** Counts the runs of the folder again. One count at a time; another flow that is shown meanwhile is counted after it. */
export async function countAgain(): Promise<void> {
  const flow = runSubjectStore.getState().flow;
  if (!flow || coverageStore.getState().reading) return;
  coverageStore.setState({ reading: true, failure: null });
  try {
    const coverage = await studio.debug.coverage({ flow: flow.path, text: flow.text });
    coverageStore.setState({ coverage });
  } catch (thrown) {
    coverageStore.setState({ coverage: null, failure: failureOf(thrown).message });
  } finally {
    coverageStore.setState({ reading: false });
  }
  const { kind, failure } = coverageStore.getState();
  if (kind !== null && failure === null && runSubjectStore.getState().flow?.path !== flow.path) await countAgain();
}

runSubjectStore.subscribe(({ flow }, before) => {
  if (coverageStore.getState().kind !== null && flow?.path !== before.flow?.path) void countAgain();
});
// A run that has stopped has more to count.
runSessionStore.subscribe(({ view }, before) => {
  if (coverageStore.getState().kind !== null && view && view.status !== before.view?.status && before.view?.status === 'running')
    void countAgain();
});
