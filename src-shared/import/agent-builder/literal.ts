import type { AnyNode, ObjectExpression } from 'acorn';
import type { Json } from '#shared/json.ts';

/** The value of a literal, a list or an object of such, or a template without placeholders; undefined if it must be computed. */
export function literalValue(node: AnyNode | null | undefined): Json | undefined {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' || typeof node.value === 'boolean' || node.value === null
        ? node.value
        : undefined;
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? '') : undefined;
    case 'UnaryExpression': {
      const value = literalValue(node.argument);
      return node.operator === '-' && typeof value === 'number' ? -value : undefined;
    }
    case 'BinaryExpression': {
      const left = node.left.type === 'PrivateIdentifier' ? undefined : literalValue(node.left);
      const right = literalValue(node.right);
      return node.operator === '+' && typeof left === 'string' && typeof right === 'string' ? left + right : undefined;
    }
    case 'ArrayExpression': {
      const items = node.elements.map((element) => (element && element.type !== 'SpreadElement' ? literalValue(element) : undefined));
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case 'ObjectExpression': {
      const entries = [...propertiesOf(node)].map(([key, value]) => [key, literalValue(value)] as const);
      if (entries.length < node.properties.length || entries.some(([, value]) => value === undefined)) return undefined;
      return Object.fromEntries(entries.map(([key, value]) => [key, value as Json]));
    }
    default:
      return undefined;
  }
}

/** The properties of an object with plain names. */
export function propertiesOf(node: ObjectExpression): Map<string, AnyNode> {
  const properties = new Map<string, AnyNode>();
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.computed) continue;
    if (property.key.type === 'Identifier') properties.set(property.key.name, property.value);
    else if (property.key.type === 'Literal') properties.set(String(property.key.value), property.value);
  }
  return properties;
}
