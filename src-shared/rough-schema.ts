import type { z } from 'zod';

/**
 * Gives a schema that checks only the rough structure the full type of its values. For data that this program has written
 * itself, or that is validated again where it is used: walking it completely would take most of the time.
 */
export function roughSchema<Type>(schema: z.ZodType): z.ZodType<Type> {
  return schema as z.ZodType<Type>;
}
