import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** Reads of a value whose shape is not certain: each gives an empty one where there is none of that type. */
export const objectAt = (value: Json | undefined, key: string): JsonObject => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
};

export const listAt = (value: Json | undefined, key: string): readonly Json[] => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
};

export const objectsAt = (value: Json | undefined, key: string): readonly JsonObject[] => listAt(value, key).filter(isJsonObject);

export const textAt = (value: Json | undefined, key: string): string => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
};

export const numberAt = (value: Json | undefined, key: string): number | undefined => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === 'number' ? found : undefined;
};
