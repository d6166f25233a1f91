import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import type { Json } from '#shared/json.ts';

/** A vendor's names of the common parameters. */
interface ParameterNames {
  readonly max_tokens: string;
  readonly top_p: string;
  /** Absent for a vendor without it. */
  readonly top_k?: string;
}

/** The parameters that the author set, by the vendor's names, with `options` unchanged. */
export function sentParams({ params }: ModelRequest, names: ParameterNames): Readonly<Record<string, Json>> {
  const { temperature, max_tokens, top_p, top_k, options } = params;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { [names.max_tokens]: max_tokens }),
    ...(top_p !== undefined && { [names.top_p]: top_p }),
    ...(top_k !== undefined && names.top_k !== undefined && { [names.top_k]: top_k }),
    ...options,
  };
}
