import { type Expression, isForbiddenMember, type Spread } from '#shared/flow/expression.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { Budget } from './budget.ts';
import { callFunction } from './functions.ts';
import { add, arithmetic, compare, equal, looselyEqual, textOf } from './operators.ts';

/** Ends the chain that contains a `?.`. */
const chainEnded = Symbol('chain ended');
type Value = Json | typeof chainEnded;

/**
 * Computes a checked expression over `input`. Fields of the input are found by name, `input` is the whole; only own properties
 * count, and one that is absent is null. Operators are JavaScript's on JSON (without its conversions between kinds: `null + 1` is
 * an error, and equality looks into lists and objects); functions are Python's.
 * Throws `FlowError` `HandlerError`, also when the expression does more than a fixed amount of work.
 */
export function evaluateExpression(expression: Expression, input: Json, names: Names = noNames): Json {
  return new Evaluation(input, names).value(expression);
}

/** Values that are found by name beside the input's fields, and before them. */
export type Names = Readonly<Record<string, Json>>;
const noNames: Names = {};

/** The failure of an expression. */
export function expressionError(message: string): FlowError {
  return new FlowError('HandlerError', `The expression fails: ${message}.`, { retryable: false });
}

class Evaluation {
  readonly #input: Json;
  readonly #names: Names;
  readonly #budget = new Budget();

  constructor(input: Json, names: Names) {
    this.#input = input;
    this.#names = names;
  }

  value(expression: Expression): Json {
    const value = this.#evaluate(expression);
    return value === chainEnded ? null : value;
  }

  #evaluate(expression: Expression): Value {
    this.#budget.spend(1);
    switch (expression.type) {
      case 'literal':
        return expression.value;
      case 'name':
        return this.#name(expression.name);
      case 'member':
        return this.#member(expression);
      case 'chain':
        return this.value(expression.value);
      case 'unary':
        return this.#unary(expression.operator, this.value(expression.value));
      case 'binary':
        return this.#binary(expression.operator, this.value(expression.left), this.value(expression.right));
      case 'logical':
        return this.#logical(expression);
      case 'conditional':
        return this.value(this.value(expression.test) ? expression.yes : expression.no);
      case 'array':
        return this.#items(expression.items);
      case 'object':
        return this.#object(expression);
      case 'template':
        return this.#template(expression);
      case 'call':
        return callFunction(expression.name, this.#items(expression.args), this.#budget);
    }
  }

  #name(name: string): Json {
    if (name === 'input') return this.#input;
    if (this.#names !== noNames && Object.hasOwn(this.#names, name)) return this.#names[name] as Json;
    if (isJsonObject(this.#input) && Object.hasOwn(this.#input, name)) return this.#input[name] as Json;
    throw expressionError(`the input has no field ${name}`);
  }

  #member({ object, key, optional }: Extract<Expression, { type: 'member' }>): Value {
    const holder = this.#evaluate(object);
    if (holder === chainEnded) return chainEnded;
    if (holder === null) {
      if (optional) return chainEnded;
      const wanted = key.type === 'literal' ? String(key.value) : 'a field';
      throw expressionError(`there is nothing that could have ${wanted} (null); write ?. where that may be`);
    }
    const name = this.value(key);
    if (typeof name !== 'string' && typeof name !== 'number') throw expressionError(`${textOf(name)} is no name of a field`);
    if (isForbiddenMember(String(name))) throw expressionError(`a member named ${name} cannot be used`);
    if (typeof holder !== 'object' && typeof holder !== 'string') throw expressionError(`${textOf(holder)} has no fields`);
    const own = Object(holder) as { readonly [key: string]: Json };
    return Object.hasOwn(own, name) ? (own[name] as Json) : null;
  }

  #unary(operator: '-' | '+' | '!', value: Json): Json {
    if (operator === '!') return !value;
    if (typeof value !== 'number') throw expressionError(`${operator} needs a number, and this is ${textOf(value)}`);
    return operator === '-' ? -value : value;
  }

  #binary(operator: Extract<Expression, { type: 'binary' }>['operator'], left: Json, right: Json): Json {
    switch (operator) {
      case '+':
        return add(left, right, this.#budget);
      case '===':
        return equal(left, right, this.#budget);
      case '!==':
        return !equal(left, right, this.#budget);
      case '==':
        return looselyEqual(left, right, this.#budget);
      case '!=':
        return !looselyEqual(left, right, this.#budget);
      case '<':
      case '<=':
      case '>':
      case '>=':
        return compare(operator, left, right);
      case '-':
      case '*':
      case '/':
      case '%':
      case '**':
        return arithmetic(operator, left, right);
    }
  }

  #logical({ operator, left, right }: Extract<Expression, { type: 'logical' }>): Json {
    const first = this.value(left);
    if (operator === '&&') return first ? this.value(right) : first;
    if (operator === '||') return first ? first : this.value(right);
    return first ?? this.value(right);
  }

  #items(items: readonly (Expression | Spread)[]): Json[] {
    const list: Json[] = [];
    for (const item of items) {
      if (item.type !== 'spread') {
        list.push(this.value(item));
        continue;
      }
      const value = this.value(item.value);
      if (!Array.isArray(value) && typeof value !== 'string')
        throw expressionError(`... in a list needs a list, and this is ${textOf(value)}`);
      this.#budget.spend(value.length);
      for (const part of value) list.push(part as Json);
    }
    return list;
  }

  #object({ entries }: Extract<Expression, { type: 'object' }>): Json {
    const object: Record<string, Json> = {};
    for (const entry of entries) {
      if (entry.type === 'spread') {
        const value = this.value(entry.value);
        if (value === null) continue;
        if (!isJsonObject(value)) throw expressionError(`... in an object needs an object, and this is ${textOf(value)}`);
        for (const key of Object.keys(value)) this.#set(object, key, value[key] as Json);
        continue;
      }
      const key = this.value(entry.key);
      if (typeof key !== 'string' && typeof key !== 'number') throw expressionError(`${textOf(key)} is no name of a field`);
      if (isForbiddenMember(String(key))) throw expressionError(`a member named ${key} cannot be used`);
      this.#set(object, String(key), this.value(entry.value));
    }
    return object;
  }

  /** Defined, not assigned: a field that is called `__proto__` in the data stays one. */
  #set(object: Record<string, Json>, key: string, value: Json): void {
    this.#budget.spend(1);
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }

  #template({ strings, values }: Extract<Expression, { type: 'template' }>): string {
    let text = strings[0] ?? '';
    values.forEach((value, index) => {
      text += textOf(this.value(value)) + (strings[index + 1] ?? '');
      this.#budget.spendText(text.length);
    });
    return text;
  }
}
