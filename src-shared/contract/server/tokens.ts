import { z } from 'zod';
import { created, gone, ok, pageOf, pageQuery, route, scopeSchema, timeSchema } from './common.ts';

/** A token without its secret. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(scopeSchema),
  created_at: timeSchema,
  /** Null: until it is revoked. */
  expires_at: timeSchema.nullable(),
});
export type Token = z.infer<typeof tokenSchema>;

const tags = ['Tokens'];

export const tokensRoutes = {
  list: route
    .meta({ scope: 'admin' })
    .route({ method: 'GET', path: '/v1/tokens', tags, summary: 'List tokens' })
    .input(z.object({ query: z.strictObject(pageQuery) }))
    .output(ok(pageOf(tokenSchema))),
  create: route
    .meta({ scope: 'admin' })
    .route({ method: 'POST', path: '/v1/tokens', tags, summary: 'Create a token', successStatus: 201 })
    .input(
      z.object({
        body: z.strictObject({
          name: z.string().trim().min(1).max(100),
          scopes: z.array(scopeSchema).min(1).max(5),
          expires_at: z.iso.datetime({ offset: true }).optional(),
        }),
      }),
    )
    .output(
      created(
        tokenSchema.extend({
          /** The whole token. It is shown this once. */
          token: z.string(),
        }),
      ),
    ),
  revoke: route
    .meta({ scope: 'admin' })
    .route({ method: 'DELETE', path: '/v1/tokens/{id}', tags, summary: 'Revoke a token', successStatus: 204 })
    .input(z.object({ params: z.object({ id: z.string().min(1).max(50) }) }))
    .output(gone),
};
