/** A Python exception: `type` is its class (`TypeError`), `message` what `str(exception)` returns. */
export class PythonError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.name = 'PythonError';
    this.type = type;
  }
}

/** Why an evaluation ended without a Python exception. */
export type PythonStopReason = 'operations' | 'memory' | 'depth' | 'unsupported';

/**
 * The evaluation ended although CPython may have continued: a budget is used up, or the value would depend on something
 * that this interpreter does not reproduce. The step fails; no value and no Python error may be reported.
 */
export class PythonStop extends Error {
  readonly reason: PythonStopReason;

  constructor(reason: PythonStopReason, message: string) {
    super(message);
    this.name = 'PythonStop';
    this.reason = reason;
  }
}

/** Returns a `TypeError`. */
export const typeError = (message: string): PythonError => new PythonError('TypeError', message);

/** Returns a `ValueError`. */
export const valueError = (message: string): PythonError => new PythonError('ValueError', message);

/** Returns the stop for something whose result would not be certain to equal CPython's. */
export const unsupported = (what: string): PythonStop =>
  new PythonStop('unsupported', `The expression needs ${what}, which only Python itself can do. Make it a code agent.`);
