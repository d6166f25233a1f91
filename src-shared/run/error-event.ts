import type { TransferableError } from './error.ts';
import type { EventBodyOf } from './event.ts';

/** A failure as an event: whole, and its message, node and code flat, as Praxis has them. */
export function errorEvent(error: TransferableError, node: string | null = error.node): EventBodyOf<'error'> {
  return { type: 'error', node, error, message: error.message, node_id: node, error_code: error.code };
}
