import type { Context } from '#main/engine/ports/context.ts';
import type { Json } from '#shared/json.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import { findSecret, maskSecrets } from './mask.ts';

/** A failure with every known secret in it masked. */
export function maskedFailure(ctx: Context, error: TransferableError): TransferableError {
  return maskSecrets(ctx.secrets, error);
}

/** Throws `FlowError` `SecretInState` when one of the values that a step of `node` would commit contains a known secret. */
export function assertNoSecret(ctx: Context, node: string, committed: readonly Json[]): void {
  for (const value of committed) {
    const found = findSecret(ctx.secrets, value);
    if (!found) continue;
    throw new FlowError(
      'SecretInState',
      `${node} would put the secret ${found.name} into the run${found.path ? ` (at ${found.path})` : ''}. Secrets enter only where a tool or model needs them, as {secret:${found.name}}.`,
      {
        node,
        details: { secret: found.name, path: found.path },
      },
    );
  }
}
