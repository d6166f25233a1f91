import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { HostCapabilities } from '#main/services/host/host-capabilities.ts';
import { servePort } from '#main/services/serve-port.ts';
import { createServices, type Services } from '#main/services/services.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import type { contract } from '#shared/contract/index.ts';
import { type ListenTo, readingPort, type ServingTextPort, servingPort, type TextPort } from '#shared/contract/text-port.ts';

export interface StudioClient {
  readonly client: ContractRouterClient<typeof contract>;
  readonly services: Services;
  readonly serving: ServingTextPort;
  readonly reading: TextPort;
}

const listenTo =
  (port: MessagePort): ListenTo =>
  (name, listener) =>
    port.on(name, (data: unknown) => listener({ data }));

/** Receives a cleanup for each created resource, last first. */
export type WhenDone = (end: () => PromiseLike<void> | void) => void;

/** Creates a separate profile and an empty folder. */
export async function temporaryPlaces(whenDone: WhenDone): Promise<{ readonly home: string; readonly folder: string }> {
  const profile = await temporaryProfile();
  whenDone(() => profile[Symbol.asyncDispose]());
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pravah-workspace-')));
  whenDone(() => rm(folder, { recursive: true, force: true }));
  return { home: profile.home, folder };
}

/** Starts real services behind in-memory ports. `folder` undefined: the studio's default folder. */
export function startStudio(
  whenDone: WhenDone,
  folder: string | undefined,
  host: Partial<HostCapabilities> = {},
  runSlots?: number,
): StudioClient {
  const services = createServices({ host: 'web', notice: null, ...host }, { folder, runSlots });
  whenDone(() => services.close());
  return connectTo(whenDone, services);
}

/** Connects another window to running services. */
export function connectTo(whenDone: WhenDone, services: Services): StudioClient {
  const { port1, port2 } = new MessageChannel();
  const serving = servingPort(port1, listenTo(port1));
  servePort(services.router, serving);
  const reading = readingPort(port2, listenTo(port2));
  whenDone(() => reading.close());
  return { client: createORPCClient(new RPCLink({ port: reading })), services, serving, reading };
}
