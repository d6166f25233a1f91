import type { ModelHttp } from '#main/models/model-http.ts';

/**
 * Whether a vendor has just refused a request for the schema in it. Their rules are more than what is published (how deep, how many, which patterns),
 * and not every server knows schemas: then the request is made again with less of it.
 */
export function refusesSchema({ refused }: ModelHttp): boolean {
  const isRefusal = refused !== undefined && [400, 422, 500, 501].includes(refused.status);
  return isRefusal && /schema|response_format|output_config|grammar|\bformat\b/i.test(refused.message);
}
