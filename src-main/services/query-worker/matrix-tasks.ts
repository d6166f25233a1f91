import { matrixOf } from '#main/matrix/matrix-rows.ts';
import { makeMatrix, type PlannedMatrix, planMatrix } from '#main/matrix/plan-matrix.ts';
import { readPrices } from '#main/models/settings/prices.ts';
import { historyOptions } from '#main/time-travel/history-options.ts';
import type { Matrix, MatrixCheck, MatrixRequest } from '#shared/contract/matrix.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { BackgroundFolder } from './background-folder.ts';

interface SuppliedRequest extends MatrixRequest {
  readonly supplied: readonly Supplied[];
}

/** Background tasks for what-if matrices. None of them calls a model or a tool. */
export const matrixTasks = {
  async matrixCheck(folder: BackgroundFolder, request: SuppliedRequest): Promise<MatrixCheck> {
    return (await planned(folder, request)).check;
  },

  async makeMatrix(folder: BackgroundFolder, request: SuppliedRequest): Promise<{ group: string; run_ids: string[] }> {
    const plan = await planned(folder, request);
    const { main } = await folder.journals.openForNewRun();
    return makeMatrix(main, plan, Date.now());
  },

  async matrix({ folder, journals }: BackgroundFolder, { group }: { readonly group: string }): Promise<Matrix> {
    const { main, others } = await journals.open();
    const all = [main, ...others, ...journals.capsules];
    const prices = await readPrices(folder);
    return matrixOf({ variants: main, original: (runId) => all.find((journal) => journal.has(runId)) ?? null }, group, prices, Date.now());
  },
} as const;

async function planned({ folder, journals }: BackgroundFolder, { supplied, ...request }: SuppliedRequest): Promise<PlannedMatrix> {
  return planMatrix(await journals.holding(request.run_id), request, { ...(await historyOptions(folder)), supplied });
}
