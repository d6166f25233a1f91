import { ORPCError } from '@orpc/client';
import { FlowError, type TransferableError } from '#shared/runtime/error.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

/** What went wrong with a call of `studio`, in the one shape of all failures. Never throws. */
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
    `The connection to the studio broke before it answered (${reason}). Look whether it happened before trying again.`,
    {
      code: 'HOST_CONNECTION_LOST',
    },
  ).toJSON();
}
