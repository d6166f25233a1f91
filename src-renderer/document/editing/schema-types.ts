import { isJsonObject, type Json } from '#shared/json.ts';

/** A schema as a TypeScript type for completion: approximate, but never too narrow. */
export function typeOfSchema(schema: Json | undefined, depth = 0): string {
  if (!isJsonObject(schema) || depth > 12) return schema === false ? 'never' : 'any';
  if (Array.isArray(schema.enum)) return schema.enum.map((value: Json) => literal(value)).join(' | ') || 'never';
  if (schema.const !== undefined) return literal(schema.const);
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants)) return variants.map((variant: Json) => `(${typeOfSchema(variant, depth + 1)})`).join(' | ') || 'any';
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: Json) => `(${typeOfSchema({ ...schema, type }, depth + 1)})`).join(' | ') || 'any';
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeOfSchema(schema.items ?? true, depth + 1)}>`;
    case 'object':
      return objectType(schema, depth);
    default:
      return isJsonObject(schema.properties) ? objectType(schema, depth) : 'any';
  }
}

function objectType(schema: { readonly [key: string]: Json }, depth: number): string {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).map(([name, property]) => {
    const description =
      isJsonObject(property) && typeof property.description === 'string' ? `/** ${property.description.replaceAll('*/', '')} */ ` : '';
    return `${description}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOfSchema(property, depth + 1)};`;
  });
  if (schema.additionalProperties !== false) fields.push('[key: string]: any;');
  return `{ ${fields.join(' ')} }`;
}

function literal(value: Json): string {
  return isJsonObject(value) || Array.isArray(value) ? 'any' : JSON.stringify(value);
}
