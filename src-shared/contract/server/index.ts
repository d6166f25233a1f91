import { flowsRoutes } from './flows.ts';
import { runsRoutes } from './runs.ts';
import { serverRoutes } from './server.ts';
import { tokensRoutes } from './tokens.ts';

/** The API of `pravah serve`, except its streams, which are plain HTTP. */
export const serverContract = { flows: flowsRoutes, runs: runsRoutes, tokens: tokensRoutes, server: serverRoutes };
