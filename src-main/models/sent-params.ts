import type { ModelRequest } from '#main/models/model-client.ts';
import type { Json } from '#shared/json.ts';

/** What a vendor calls the parameters that all have. */
interface ParameterNames {
  readonly max_tokens: string;
  readonly top_p: string;
}

/** Only what the author wrote, in a vendor's words, with `options` as they are. */
export function sentParams({ params }: ModelRequest, names: ParameterNames): Readonly<Record<string, Json>> {
  const { temperature, max_tokens, top_p, options } = params;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { [names.max_tokens]: max_tokens }),
    ...(top_p !== undefined && { [names.top_p]: top_p }),
    ...options,
  };
}
