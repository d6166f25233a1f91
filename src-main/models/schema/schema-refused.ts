import type { ModelHttp } from '#main/models/model-http.ts';

/**
 * Whether a vendor just rejected a request because of its schema. Their actual rules exceed the published ones (depth, number, patterns), and
 * not every server supports schemas: the request is then retried with a simpler one.
 */
export function refusesSchema({ refused }: ModelHttp): boolean {
  const isRefusal = refused !== undefined && [400, 422, 500, 501].includes(refused.status);
  return isRefusal && /schema|response_format|output_config|grammar|\bformat\b/i.test(refused.message);
}
