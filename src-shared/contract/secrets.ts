import { z } from 'zod';
import { procedure } from './common.ts';

/** Secrets that the user entered for tools. Their values are never returned. */
export const storedSecretSchema = z.object({
  name: z.string(),
  /** Where it may be sent: `host` or `host:port` by https, `http://host` without encryption. */
  hosts: z.array(z.string()),
});
export type StoredSecretInfo = z.infer<typeof storedSecretSchema>;

const storedSecrets = z.array(storedSecretSchema);

export const secretsContract = {
  list: procedure.output(storedSecrets),
  /** Stores a secret, replacing an earlier one with this name, and returns all. */
  set: procedure.input(z.object({ name: z.string(), value: z.string(), hosts: z.array(z.string()).max(100) })).output(storedSecrets),
  remove: procedure.input(z.object({ name: z.string() })).output(storedSecrets),
};
