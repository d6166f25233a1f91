import { createORPCClient, DynamicLink } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { currentLink } from '#renderer/api/connection.ts';
import type { contract } from '#shared/contract/index.ts';

/** The contract as the page calls it: `await studio.flows.read({ path })`. */
export type Studio = ContractRouterClient<typeof contract>;

/**
 * The one client of the page, over whichever connection it has; calls made before it stands wait for it. A failure is
 * read with `failureOf`; streams are followed with `follow`, which subscribes anew after a break.
 */
export const studio: Studio = createORPCClient(new DynamicLink(() => currentLink()));
