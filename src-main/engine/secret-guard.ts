import type { Context } from '#main/engine/ports/context.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import type { Draft } from './draft.ts';
import { findSecret, maskSecrets } from './known-secrets.ts';

/** A failure with every known secret in it masked. */
export function maskedFailure(ctx: Context, error: TransferableError): TransferableError {
  return maskSecrets(ctx.secrets, error as unknown as JsonObject) as unknown as TransferableError;
}

/** Throws `FlowError` `SecretInState` when a known secret would enter the run by what a step commits. */
export function assertNoSecret(ctx: Context, node: string, draft: Draft): void {
  const kept = draft.type === 'finished' ? draft.produced.map(({ value }) => value) : [];
  const said = draft.type === 'suspended' ? [draft.suspensions as unknown as Json] : [];
  for (const value of [...kept, ...said]) {
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
