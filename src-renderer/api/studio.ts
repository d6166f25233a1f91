import { createORPCClient, DynamicLink } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '#shared/contract/index.ts';
import { currentLink } from './connection.ts';

/** The contract as the page calls it: `await studio.flows.read({ path })`. */
export type Studio = ContractRouterClient<typeof contract>;

/**
 * The page's only client, over its current connection; calls before it is open wait for it. Convert failures with
 * `failureOf`; follow streams with `follow`, which subscribes again after a break.
 */
export const studio: Studio = createORPCClient(new DynamicLink(() => currentLink()));
