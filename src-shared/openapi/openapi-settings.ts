import { z } from 'zod';

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable');

/** How the requests of an API are authorised. The token itself is a secret: `token_env` only names it. */
const authSchema = z
  .looseObject({
    type: z.enum(['none', 'bearer', 'apikey', 'oauth2', 'service_account']).default('none'),
    token_env: variable.nullish().describe('The secret, or the variable of .env, with the token.'),
    apikey_location: z.enum(['header', 'query']).default('query'),
    apikey_name: z.string().min(1).default('apikey'),
  })
  .refine(({ type, token_env }) => (type !== 'bearer' && type !== 'apikey') || token_env, 'needs "token_env"');

/** An API of `openapi_tools`, in the form of PyFlow's `pyflow.yaml`. */
export const openApiSettingsSchema = z.strictObject({
  spec: z.string().min(1).describe('An OpenAPI 3 document (YAML or JSON), relative to the folder.'),
  server: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The API’s address. Default: the first of "servers" in the document.'),
  name_prefix: z.string().nullish().describe('Begins the name of each of its tools, with an underscore after it.'),
  tool_filter: z
    .union([z.array(z.string()), z.string()])
    .nullish()
    .describe('Names of the operations to offer. Default: all.'),
  auth: authSchema.optional(),
});

/** APIs by name. Tools are called `openapi:NAME/OPERATION`. */
export const openApiToolsSchema = z.record(z.string().regex(/^[A-Za-z0-9_-]+$/, 'letters, digits, _ and -'), openApiSettingsSchema);

export type OpenApiSettings = z.infer<typeof openApiSettingsSchema>;
