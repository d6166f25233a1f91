import { implement, ORPCError } from '@orpc/server';
import { contract } from '#shared/contract/index.ts';
import { toTransferable } from '#shared/run/error.ts';

/** Context of one connection, provided by the host. */
export interface CallContext {
  /** Resolves when the reader of this connection has room for more. Streams wait for it before each item. */
  readonly drained: () => Promise<void>;
}

/** A handler's failure as the contract's defined error `FAILED`. */
export const asFailed = (thrown: unknown): unknown =>
  thrown instanceof ORPCError ? thrown : new ORPCError('FAILED', { status: 422, message: messageOf(thrown), data: toTransferable(thrown) });

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const isStream = (value: unknown): value is AsyncGenerator<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Forwards a stream at its reader's pace and turns errors into `FAILED`. */
export async function* relay(stream: AsyncGenerator<unknown>, context: CallContext): AsyncGenerator<unknown> {
  try {
    for await (const item of stream) {
      await context.drained();
      yield item;
    }
  } catch (thrown) {
    throw asFailed(thrown);
  }
}

/** Implements the contract. Handler errors are transferred as the defined error `FAILED` with a `TransferableError`. */
export const studio = implement(contract)
  .$context<CallContext>()
  .use(async ({ context, next }) => {
    try {
      const result = await next();
      return isStream(result.output) ? { ...result, output: relay(result.output, context) as unknown } : result;
    } catch (thrown) {
      throw asFailed(thrown);
    }
  });
