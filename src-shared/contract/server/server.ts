import { z } from 'zod';
import { ok, route, scopeSchema } from './common.ts';

const tags = ['Server'];

export const serverRoutes = {
  info: route
    .route({ method: 'GET', path: '/v1/info', tags, summary: 'Read what the server is' })
    .output(ok(z.object({ version: z.string(), backend: z.literal('process'), folders: z.array(z.string()), running: z.int() }))),
  me: route
    .route({ method: 'GET', path: '/v1/me', tags, summary: 'Read what the caller may do' })
    .output(ok(z.object({ token_id: z.string(), name: z.string(), scopes: z.array(scopeSchema) }))),
};
