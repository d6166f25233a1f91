import { RPCHandler } from '@orpc/server/message-port';
import { z } from 'zod';
import type { ServingTextPort } from '#shared/contract/text-port.ts';
import type { StudioRouter } from './services.ts';

/** Serves calls and streams over `port` until it closes. Messages that are not calls are dropped. */
export function servePort(router: StudioRouter, port: ServingTextPort): void {
  let open = true;
  port.on('close', () => {
    open = false;
  });
  const handler = new RPCHandler(router);
  handler.upgrade(
    {
      postMessage(text: string) {
        if (open) port.postMessage(text);
      },
      on(event, listener) {
        port.on(event, (message) => {
          if (event !== 'message' || (message && isCall(message.data))) listener(message);
        });
      },
    },
    { context: { drained: () => port.drained() } },
  );
}

const header = z.union([z.string(), z.array(z.string())]).optional();

/** The two messages that a page sends: a call (always a POST) and the end of one (`t: 4`). */
const callMessage = z.union([
  z.strictObject({
    i: z.string(),
    p: z.strictObject({ u: z.string().startsWith('/'), b: z.unknown().optional(), h: z.record(z.string(), header).optional() }),
  }),
  z.strictObject({ i: z.string(), t: z.literal(4), p: z.unknown().optional() }),
]);

/** Whether a text is a protocol message. The library would crash the process with an unhandled rejection on any other text. */
function isCall(text: string): boolean {
  try {
    return callMessage.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
