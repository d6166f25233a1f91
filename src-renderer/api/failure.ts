import { ORPCError } from '@orpc/client';
import { FlowError, type TransferableError } from '#shared/run/error.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

/** Converts what a call of `studio` threw into a `TransferableError`. Never throws. */
export function failureOf(thrown: unknown): TransferableError {
  if (thrown instanceof ORPCError) {
    if (thrown.defined && thrown.code === 'FAILED') return thrown.data as TransferableError;
    const issue = (thrown.data as { issues?: readonly Issue[] } | undefined)?.issues?.[0];
    const message = issue ? `${(issue.path ?? []).join('.') || 'The input'}: ${issue.message}` : thrown.message;
    return new FlowError('DeserializeError', message, { code: `CONTRACT_${thrown.code}` }).toJSON();
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new FlowError(
    'HandlerError',
    `Lost the connection before the studio replied: ${reason}. Check whether the change was applied before you retry.`,
    {
      code: 'HOST_CONNECTION_LOST',
    },
  ).toJSON();
}
