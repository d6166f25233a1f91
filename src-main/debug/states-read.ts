import type { Expression, ObjectEntry, Spread } from '#shared/flow/expression.ts';

/** Returns the states that an expression reads as `states.NAME`; null if it reads anything else that may change from record to record. */
export function statesRead(expression: Expression): string[] | null {
  const states = new Set<string>();
  return readsOnly(expression, states) ? [...states] : null;
}

function readsOnly(part: Expression | Spread | ObjectEntry, states: Set<string>): boolean {
  const all = (parts: readonly (Expression | Spread | ObjectEntry)[]) => parts.every((each) => readsOnly(each, states));
  switch (part.type) {
    case 'literal':
      return true;
    case 'name':
      return false;
    case 'member': {
      const { object, key } = part;
      if (object.type === 'name' && object.name === 'states' && key.type === 'literal' && typeof key.value === 'string') {
        states.add(key.value);
        return true;
      }
      return all([object, key]);
    }
    case 'chain':
    case 'unary':
    case 'spread':
      return readsOnly(part.value, states);
    case 'binary':
    case 'logical':
      return all([part.left, part.right]);
    case 'conditional':
      return all([part.test, part.yes, part.no]);
    case 'template':
      return all(part.values);
    case 'array':
      return all(part.items);
    case 'object':
      return all(part.entries);
    case 'entry':
      return all([part.key, part.value]);
    case 'call':
      return all(part.args);
  }
}
