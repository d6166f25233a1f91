import { guardedRequest, HttpFailure } from '#main/tools/http/guarded-request.ts';
import { hostRules } from '#main/tools/http/host-rules.ts';
import { secretsIn } from '#shared/flow/secret-placeholder.ts';
import type { Json } from '#shared/json.ts';
import { builtInTool } from './built-in-tool.ts';
import { revealedUrl } from './http-request.ts';
import { inputSchema } from './input-schema.ts';

const deliveryTimeoutMs = 30_000;

export const alertTool = builtInTool('alert', {
  description: 'Sends a message to a webhook as {"message": …}.',
  input_schema: inputSchema(
    { webhook_url: { type: 'string', description: 'URL of the webhook' }, message: { type: 'string', description: 'Text to send' } },
    ['webhook_url', 'message'],
  ),
  output_schema: {
    type: 'object',
    properties: { status: { type: 'integer' }, sent: { type: 'boolean' }, error: { type: ['string', 'null'] } },
    required: ['status', 'sent', 'error'],
  },
  call: async (input, ctx): Promise<Json> => {
    try {
      const { status } = await guardedRequest({
        method: 'POST',
        url: revealedUrl(ctx, 'webhook_url', input.webhook_url as string),
        stays: secretsIn(input).length > 0,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: input.message }),
        timeoutMs: deliveryTimeoutMs,
        signal: ctx.signal,
        // The tool has no allow_private input: every private address listed in pravah.json is allowed.
        rules: hostRules(ctx, true),
      });
      const sent = status >= 200 && status < 300;
      return { status, sent, error: sent ? null : `the webhook answered ${status}` };
    } catch (error) {
      if (error instanceof HttpFailure) return { status: 0, sent: false, error: error.message };
      throw error;
    }
  },
});
