import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { Json } from '#shared/json.ts';
import { roughSchema } from '#shared/rough-schema.ts';
import type { TransferableError } from '#shared/run/error.ts';

export const json = z.json() as z.ZodType<Json>;

/** A failure as it crosses the contract; its full shape is `TransferableError`. */
export const transferableErrorSchema = roughSchema<TransferableError>(
  z.looseObject({
    type: z.enum(['FlowError', 'ToolError']),
    variant: z.string(),
    code: z.string(),
    message: z.string(),
  }),
);

/** The start of every procedure: an expected failure is the defined error `FAILED`, whose data is a `TransferableError`. */
export const procedure = oc.errors({ FAILED: { status: 422, data: transferableErrorSchema } });
