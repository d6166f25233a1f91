import { PythonStop } from './errors.ts';

/** The limits of one evaluation. */
export interface PythonBudget {
  /** Operators, calls, iterations, and long work in proportion to its size. */
  readonly operations: number;
  /** Estimated bytes of all containers, strings and integers that are created. */
  readonly bytes: number;
}

/** 10⁶ operations and 64 MiB. */
export const defaultPythonBudget: PythonBudget = { operations: 1_000_000, bytes: 64 * 1024 * 1024 };

/** The largest integer, in bits. Longer ones end the evaluation. */
export const maxIntegerBits = 1 << 20;

// An evaluation is synchronous, so what is left of its budget can be a variable of the module: operators and methods
// need no further argument. Outside of an evaluation nothing is counted.
let operationsLeft = Number.POSITIVE_INFINITY;
let bytesLeft = Number.POSITIVE_INFINITY;
let limits = defaultPythonBudget;

/** Runs `work` with a budget of its own. */
export function withBudget<T>(budget: PythonBudget, work: () => T): T {
  const saved = { operationsLeft, bytesLeft, limits };
  operationsLeft = budget.operations;
  bytesLeft = budget.bytes;
  limits = budget;
  try {
    return work();
  } finally {
    ({ operationsLeft, bytesLeft, limits } = saved);
  }
}

/** Counts operations. Throws `PythonStop` when there are none left. */
export function countOperations(count: number): void {
  operationsLeft -= count;
  if (operationsLeft < 0) {
    throw new PythonStop('operations', `The expression takes more than ${limits.operations} operations. Make it a code agent.`);
  }
}

/** Counts memory before it is allocated. Throws `PythonStop` when there is none left. */
export function countBytes(count: number): void {
  bytesLeft -= count;
  if (!(bytesLeft >= 0)) {
    throw new PythonStop('memory', `The expression needs more than ${limits.bytes / 1024 / 1024} MiB. Make it a code agent.`);
  }
}

/** Counts a sequence of `length` items, 8 bytes each, before it is built. */
export function countItems(length: number): void {
  countBytes(length * 8 + 56);
  countOperations(length / 16);
}

/** Counts a text of `length` characters before it is built. */
export function countText(length: number): void {
  countBytes(length * 2);
  countOperations(length / 256);
}
