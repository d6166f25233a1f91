import { atOnce } from '#main/matrix/at-once.ts';
import type { Background } from '#main/services/query-worker/background.ts';
import { type Matrix, type MatrixCheck, type MatrixRequest, variantsAtOnce } from '#shared/contract/matrix.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import { FlowError } from '#shared/run/error.ts';
import type { RunRegistry } from './run-registry.ts';

const ended: ReadonlySet<string> = new Set(['success', 'error', 'cancelled']);

/** The what-if matrices of one folder: makes their variants and drives some of them at a time. */
export class MatrixRuns {
  readonly #queries: Background;
  readonly #runs: RunRegistry;
  readonly #supplied: () => Promise<readonly Supplied[]>;
  /** Groups that are driven, with what ends that. */
  readonly #driven = new Map<string, AbortController>();

  constructor(queries: Background, runs: RunRegistry, supplied: () => Promise<readonly Supplied[]>) {
    this.#queries = queries;
    this.#runs = runs;
    this.#supplied = supplied;
  }

  async check(request: MatrixRequest): Promise<MatrixCheck> {
    return this.#queries.call('matrixCheck', { ...request, supplied: await this.#supplied() });
  }

  /** Makes the variants, paused. */
  async make(request: MatrixRequest): Promise<{ group: string }> {
    const { group, run_ids } = await this.#queries.call('makeMatrix', { ...request, supplied: await this.#supplied() });
    for (const runId of run_ids) await this.#runs.announce(runId);
    return { group };
  }

  /** Returns the matrix as its runs stand; variants that wait for their turn are `queued`. */
  async read(group: string): Promise<Matrix> {
    const matrix = await this.#queries.call('matrix', { group });
    if (!this.#driven.has(group)) return matrix;
    return { ...matrix, rows: matrix.rows.map((row) => (row.status === 'paused' ? { ...row, status: 'queued' as const } : row)) };
  }

  /** Drives the variants that are paused. Throws without consent, with the run in question as `details.run_id`. */
  async run(group: string): Promise<void> {
    if (this.#driven.has(group)) return;
    const { rows } = await this.#queries.call('matrix', { group });
    const left = rows.filter(({ status }) => status === 'paused').map(({ run_id }) => run_id);
    for (const runId of left) await this.#runs.assertConsented(runId).catch((error: unknown) => rethrowWith(error, runId));
    const abort = new AbortController();
    this.#driven.set(group, abort);
    const drive = async (runId: string) => {
      // One that was refused stays paused; the others continue.
      if (!abort.signal.aborted) await this.#runs.driveVariant(runId).catch(() => undefined);
    };
    void atOnce(left, variantsAtOnce, drive).finally(() => {
      this.#driven.delete(group);
      void this.#announce(left);
    });
  }

  /** Cancels the variants that have not ended. */
  async stop(group: string): Promise<void> {
    this.#driven.get(group)?.abort();
    const { rows } = await this.#queries.call('matrix', { group });
    await Promise.all(rows.filter(({ status }) => !ended.has(status)).map(({ run_id }) => this.#runs.stop(run_id)));
  }

  async #announce(runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) await this.#runs.announce(runId).catch(() => undefined);
  }
}

function rethrowWith(error: unknown, run_id: string): never {
  if (!(error instanceof FlowError)) throw error;
  const { variant, message } = error;
  const { code, details } = error.toJSON();
  throw new FlowError(variant, message, { code, details: { ...details, run_id } });
}
