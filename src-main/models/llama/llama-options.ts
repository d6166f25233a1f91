import { z } from 'zod';
import { FlowError } from '#shared/run/error.ts';

/** `params.options` of a local model. */
const optionsSchema = z.strictObject({
  context_size: z.int().min(256).optional(),
  threads: z.int().min(1).max(256).optional(),
  gpu: z.boolean().optional(),
  seed: z.int().nonnegative().optional(),
  top_k: z.int().nonnegative().optional(),
  min_p: z.number().min(0).max(1).optional(),
  grammar: z.string().min(1).optional(),
});
export type LlamaOptions = z.infer<typeof optionsSchema>;

/** Parses the author's options. Throws `AgentError` `CONFIG_PARAMS_INVALID` that names the invalid one. */
export function llamaOptions(options: unknown): LlamaOptions {
  const parsed = optionsSchema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const names = Object.keys(optionsSchema.shape).join(', ');
  throw new FlowError('AgentError', `params.options of llama://: ${issue?.path.join('.') ?? ''} ${issue?.message}. It takes ${names}.`, {
    code: 'CONFIG_PARAMS_INVALID',
    category: 'configuration',
    retryable: false,
  });
}
